import { countDrafts } from '../../drafts/stored.ts'
import { t } from '../../words/words.ts'
import { Hint } from '../entrance.tsx'

/** By the code of the answer. */
const endings: Readonly<Record<string, string>> = {
  session_expired: t('Your session has expired. Sign in again.'),
  session_idle: t('You were signed out because you were inactive for a while.'),
  session_revoked: t('This session was ended from another browser or app.'),
  session_password_changed: t('You were signed out because your password was changed.'),
  session_second_factor_changed: t('You were signed out because two-factor authentication was changed.'),
  session_limit_reached: t('You were signed out here because you signed in on too many devices.'),
  session_account_closed: t('This account was closed.'),
  session_account_disabled: t('Your account was disabled. Ask a superadmin for help.'),
}

/** Says why the last session in this browser has ended. People with drafts had one, because signing out deletes them. */
export default function Ended({ code }: { code: string }) {
  const hasDrafts = countDrafts() > 0
  const ending = endings[code] ?? (hasDrafts && t('You were signed out.'))
  if (!ending) return null
  return (
    <Hint>
      {ending} {hasDrafts && t('Your unsaved drafts are kept in this browser.')}
    </Hint>
  )
}
