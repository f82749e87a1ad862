import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, record } from '#contract/schema.ts'
import { demote } from '#identity/accounts.ts'

export default operation({
  path: '/services/identity/v1/users/demote',
  summary: 'Make a superadmin an ordinary user; takes effect with their next call',
  about:
    'They keep their memberships. A superadmin of one platform can demote only superadmins of that platform, and an installation keeps at least one superadmin of all platforms.',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The user is no longer a superadmin.',
  output: record({ user: record({ id: integer() }) }),
  failures: {
    400: { last_superadmin: 'An installation needs at least one superadmin of all platforms.' },
    403: unconfirmed,
    404: { superadmin_not_found: 'There is no superadmin with this id.' },
  },
  writes: true,
  async handle({ input: { id }, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const platformId = caller.superadminPlatformId
    const demoted = await demote(db, id, { platformId }, originOf({ http, caller, log }))
    if (demoted === 'no superadmin') throw fail(404, 'superadmin_not_found')
    if (demoted === 'last superadmin') throw fail(400, 'last_superadmin')
    return { user: { id } }
  },
})
