import { Page } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { DeletedThings } from './deleted-things.tsx'

export default function TemplateTrashPage() {
  return (
    <Page title={t('Deleted templates')}>
      <p className="page-note">
        {t('Templates, groups and cards of templates stay here for 30 days after they were deleted.')}
      </p>
      <DeletedThings />
    </Page>
  )
}
