import { operation } from '#api/operation.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { build } from '#database/connect.ts'
import { clearCookie } from '#identity/sessions.ts'

export default operation({
  path: '/services/identity/v1/sessions/revoke-all',
  summary: 'End every session of the caller, this one included unless it is kept',
  audience: 'signed in',
  input: { keep_current: optional(flag()) },
  success: 200,
  message: 'Your sessions have ended.',
  output: record({ revoked_count: integer() }),
  failures: [],
  async handle({ input, caller, db, http }) {
    const own = build.deleteFrom('sessions').where('user_id', '=', caller.id)
    const doomed = input.keep_current ? own.where('id', '!=', caller.sessionId) : own
    const ended = await db.all(doomed.returning('id'))
    if (caller.carrier === 'cookie' && !input.keep_current) clearCookie(http)
    return { revoked_count: ended.length }
  },
})
