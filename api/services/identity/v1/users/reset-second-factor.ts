import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, record } from '#contract/schema.ts'
import { resetSecondFactor } from '#identity/changing-second-factor.ts'

export default operation({
  path: '/services/identity/v1/users/reset-second-factor',
  summary: 'Turn off the two-factor authentication of someone who has lost it; their sessions end',
  about:
    'They sign in with their password alone and can set it up again; superadmins have to. You cannot reset your own. A superadmin of one platform can do this for users who belong to that platform and to no other.',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'Two-factor authentication was reset.',
  output: record({ user: record({ id: integer() }), revoked_count: integer() }),
  failures: {
    400: {
      own_second_factor: 'You cannot reset your own two-factor authentication. Ask another superadmin.',
      second_factor_off: 'Two-factor authentication is not on.',
    },
    403: unconfirmed,
    404: { user_not_found: 'There is no user with this id.' },
  },
  writes: true,
  async handle({ input: { id }, caller, db, log, http, fail }) {
    if (id === caller.id) throw fail(400, 'own_second_factor')
    await requireRecentPassword({ db, caller, fail })
    const platformId = caller.superadminPlatformId
    const reset = await resetSecondFactor(db, id, { platformId }, originOf({ http, caller, log }))
    if (reset === 'no user') throw fail(404, 'user_not_found')
    if (reset === 'off already') throw fail(400, 'second_factor_off')
    return { user: { id }, revoked_count: reset.ended }
  },
})
