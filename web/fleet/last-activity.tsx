import { Ago } from '../ui/time.tsx'
import { t } from '../words/words.ts'

/** When a member last did something in a project. */
export const LastActivity = ({ at }: { at: string | null }) =>
  at === null ? <span>{t('None yet')}</span> : <Ago at={at} />
