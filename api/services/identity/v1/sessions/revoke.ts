import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, nothing, optional } from '#contract/schema.ts'
import { clearCookie } from '#identity/cookie.ts'
import { endSession } from '#identity/sessions.ts'

export default operation({
  path: '/services/identity/v1/sessions/revoke',
  summary: 'End a session of the caller, by default this one',
  about:
    'Another session than this one can be ended only within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'signed in',
  input: { id: optional(integer({ about: 'The id of the session; by default the session of this call.' })) },
  success: 200,
  message: 'The session has ended.',
  output: nothing,
  failures: {
    403: unconfirmed,
    404: { session_not_found: 'You have no session with this id.' },
  },
  changes: true,
  async handle({ input, caller, db, log, http, fail }) {
    const id = input.id ?? caller.sessionId
    if (id !== caller.sessionId) await requireRecentPassword({ db, caller, fail })
    if (!(await endSession(db, { userId: caller.id, id }, originOf({ http, caller, log }))))
      throw fail(404, 'session_not_found')
    if (id === caller.sessionId && caller.carrier === 'cookie') clearCookie(http)
    return []
  },
})
