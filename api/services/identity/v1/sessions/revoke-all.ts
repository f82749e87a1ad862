import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { build } from '#database/connect.ts'
import { clearCookie } from '#identity/sessions.ts'

export default operation({
  path: '/services/identity/v1/sessions/revoke-all',
  summary: 'End every session of the caller, this one included',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'All your sessions have ended.',
  output: record({ revoked_count: integer() }),
  failures: [],
  async handle({ caller, db, http }) {
    const ended = await db.all(build.deleteFrom('sessions').where('user_id', '=', caller.id).returning('id'))
    if (caller.carrier === 'cookie') clearCookie(http)
    return { revoked_count: ended.length }
  },
})
