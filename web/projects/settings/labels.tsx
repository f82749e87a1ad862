import { identity } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { useMay } from '../../identity/permissions.ts'
import { Labels } from '../../ui/labels.tsx'
import { t } from '../../words/words.ts'

/** The labels of the project, for those who manage it; only the operator changes them, so most projects show nothing here. */
export function ProjectLabels() {
  const mayManage = useMay('manage')
  const { data } = useRead(
    `${identity}/projects/list-labels`,
    {},
    { enabled: mayManage, refetchOnMount: 'always' },
  )
  if (!data || data.labels.length === 0) return null
  return (
    <section className="project-settings-section" aria-labelledby="project-labels">
      <h2 id="project-labels">{t('Labels')}</h2>
      <p>{t('Set by the operator of Cardinal. Admins and owners see them.')}</p>
      <div>
        <Labels labels={data.labels} />
      </div>
    </section>
  )
}
