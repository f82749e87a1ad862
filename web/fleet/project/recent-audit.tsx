import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { Entry } from '../../audit/entry.tsx'
import { auditList } from '../../audit/kinds.ts'
import { clientOf } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { Reading } from '../../data/reading.tsx'
import { t } from '../../words/words.ts'
import '../../audit/page.css'

const most = 10

/** The newest entries of the audit log about the project. */
export function RecentAudit({ projectId }: { projectId: number }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const query = useQuery({
    queryKey: [0, auditList, { projectId }],
    queryFn: () => clientOf(projectId).call(auditList, { is_of_project: true, limit: most }),
    refetchOnMount: 'always',
  })
  return (
    <Reading query={query} failed={t('The audit log could not be loaded')}>
      {({ entries }) =>
        entries.length === 0 ? (
          <p className="fleet-none">{t('No entries yet')}</p>
        ) : (
          <ul className="audit" aria-label={t('Entries')}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <Entry
                  entry={entry}
                  only={(name, value) => navigate(`${base}/audit?${new URLSearchParams({ [name]: value })}`)}
                />
              </li>
            ))}
          </ul>
        )
      }
    </Reading>
  )
}
