import type { ReactNode } from 'react'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** `to` is a link to a page that exists. */
export const NoSuchPage = ({ to }: { to: ReactNode }) => (
  <Empty title={t('Page not found')} action={to}>
    {t('The address may be mistyped, or the page has moved.')}
  </Empty>
)
