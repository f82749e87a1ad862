import { useLostConnection, useProject } from '../../data/project.tsx'
import { LeftDrafts } from '../../drafts/left-drafts.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { DeletedBy, type Thing, useRestore } from '../trash/deleted-things.tsx'

/** Shown instead of a deleted template. */
export default function DeletedTemplate({ template }: { template: Thing }) {
  const { base } = useProject()
  const refusal = useLostConnection()
  const { restore, isBusy } = useRestore(template)
  return (
    <Page title={template.title}>
      <div role="status">
        <Empty
          title={t('This template was deleted')}
          action={
            <div className="deleted-choices">
              <Button look="primary" refusal={refusal} isBusy={isBusy} onClick={restore}>
                {t('Restore')}
              </Button>
              <ButtonLink href={`${base}/templates`}>{t('Go to templates')}</ButtonLink>
            </div>
          }
        >
          <DeletedBy thing={template} />
          <span className="deleted-line">
            {t('Projects keep their copies. If you restore it, they are linked to it again.')}
          </span>
        </Empty>
      </div>
      <LeftDrafts of={`template ${template.thing_id}`} />
    </Page>
  )
}
