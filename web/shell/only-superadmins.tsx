import type { ReactNode } from 'react'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** `instead` is a link to a page that the person can open. */
export const OnlySuperadmins = ({ instead }: { instead: ReactNode }) => (
  <Empty title={t('Only superadmins can open this page')} action={instead}>
    {t('It covers all projects. Ask a superadmin for help.')}
  </Empty>
)
