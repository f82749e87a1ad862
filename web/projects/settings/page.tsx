import { identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { DraftScope } from '../../drafts/draft-scope.tsx'
import { FieldText } from '../../drafts/field-text.tsx'
import { isArchived, useRefusal } from '../../identity/permissions.ts'
import { Page } from '../../ui/page.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import DeletedProjects from '../deleted-projects.tsx'
import { DeleteProject } from './delete.tsx'
import { ProjectLabels } from './labels.tsx'
import { LeaveProject } from './leave.tsx'
import { Locality } from './locality.tsx'
import './page.css'

export default function ProjectSettingsPage() {
  const { id, me } = useProject()
  const refusal = useRefusal('manage')
  const { mutateAsync: update } = useWrite(`${identity}/projects/update`, {
    failed: t('The project was not changed'),
  })
  const { name = '', website_url = null } = me.current_project ?? {}
  return (
    <Page title={t('Project settings')} width="form">
      <DraftScope of={`project ${id}`}>
        <dl className="fields">
          <FieldText
            name={t('Name')}
            value={name}
            place={`name of project ${id}`}
            refusal={refusal}
            onSave={(text) => update({ id, name: text })}
          />
          <FieldText
            name={t('Website')}
            value={website_url}
            placeholder="https://example.com"
            place={`website of project ${id}`}
            refusal={refusal}
            onSave={(text) => update({ id, website_url: text })}
          />
        </dl>
      </DraftScope>
      <p className="project-settings-note">
        {isArchived(me)
          ? t("Cardinal doesn't check this website while the project is archived.")
          : rich(
              'Cardinal checks this website every hour. A card with the check <code>http:/imprint</code> is done while that page answers.',
              { code: (text) => <code>{text}</code> },
            )}
      </p>
      <Locality />
      <ProjectLabels />
      <LeaveProject />
      <DeleteProject />
      <DeletedProjects />
    </Page>
  )
}
