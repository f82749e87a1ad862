import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

export const NoSuchPage = ({ boards }: { boards: string }) => (
  <Empty title={t('Page not found')} action={<ButtonLink href={boards}>{t('Go to boards')}</ButtonLink>}>
    {t('The address may be mistyped, or the page has moved.')}
  </Empty>
)
