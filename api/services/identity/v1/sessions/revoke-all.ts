import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { clearCookie } from '#identity/cookie.ts'
import { endSessions } from '#identity/sessions.ts'

export default operation({
  path: '/services/identity/v1/sessions/revoke-all',
  summary: 'End all sessions of the caller, including this one unless `keep_current` is set',
  about: 'Possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'signed in',
  input: { keep_current: optional(flag()) },
  success: 200,
  message: 'Your sessions have ended.',
  output: record({ revoked_count: integer() }),
  failures: { 403: unconfirmed },
  changes: true,
  async handle({ input, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const keptId = input.keep_current ? caller.sessionId : null
    const ended = await endSessions(db, { userId: caller.id, keptId }, originOf({ http, caller, log }))
    if (caller.carrier === 'cookie' && !input.keep_current) clearCookie(http)
    return { revoked_count: ended }
  },
})
