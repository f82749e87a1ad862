import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { flag, integer, record } from '#contract/schema.ts'
import { setAi } from '#identity/accounts.ts'

export default operation({
  path: '/services/identity/v1/users/set-ai',
  summary: 'Set whether a user may use AI features; takes effect with their next call',
  audience: 'superadmin',
  input: { id: integer(), enable_ai: flag() },
  success: 200,
  message: 'The user was changed.',
  output: record({ user: record({ id: integer(), enable_ai: flag() }) }),
  failures: { 404: { user_not_found: 'There is no user with this id.' } },
  changes: true,
  async handle({ input: { id, enable_ai: isEnabled }, caller, db, log, http, fail }) {
    const wanted = { isEnabled, platformId: caller.superadminPlatformId }
    if (!(await setAi(db, id, wanted, originOf({ http, caller, log })))) throw fail(404, 'user_not_found')
    return { user: { id, enable_ai: isEnabled } }
  },
})
