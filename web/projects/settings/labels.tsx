import { Link } from 'wouter'
import { identity } from '../../data/client.ts'
import { operatorBase, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { isSuperadminHere, useMay } from '../../identity/permissions.ts'
import { Labels } from '../../ui/labels.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'

/** The labels of the project, for those who manage it; only the operator changes them, so most projects show nothing here. */
export function ProjectLabels() {
  const { me, id } = useProject()
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
      <p>
        {isSuperadminHere(me)
          ? rich("Set on the <a>project's page</a> of your area. Admins and owners see them.", {
              a: (text) => <Link href={`${operatorBase}/projects/${id}`}>{text}</Link>,
            })
          : t('Set by the operator of Cardinal. Admins and owners see them.')}
      </p>
      <div>
        <Labels labels={data.labels} />
      </div>
    </section>
  )
}
