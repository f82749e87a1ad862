import { unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, oneOf, record } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { restoreMember } from '#projects/member/restoring.ts'
import { actingOf, roleTooHigh } from './acting.ts'

export default operation({
  path: '/services/identity/v1/members/restore',
  summary: 'Undo the removal of a member, for 30 days',
  about:
    'They have their role again, and the cards that were theirs unless someone else was assigned. Members who left by themselves have to be invited. Bringing back an owner is possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'manage members',
  on: 'project',
  input: { user_id: integer() },
  success: 200,
  message: 'The member was restored.',
  output: record({ role: oneOf(roles), reassigned_count: integer() }),
  failures: {
    400: limitReached,
    403: { ...unconfirmed, ...roleTooHigh },
    404: { removal_not_found: 'No member with this id was removed in the last 30 days.' },
  },
  writes: true,
  async handle({ input: { user_id: userId }, projectId, caller, db, quotas, log, http, fail }) {
    const acting = actingOf({ projectId, caller, http, log })
    const restored = await restoreMember(db, acting, userId, quotas).catch(
      onLimit((limit) => fail(400, ...limit)),
    )
    if (restored === 'not removed') throw fail(404, 'removal_not_found')
    if (restored === 'is owner') throw fail(403, 'role_too_high')
    if (restored === 'unconfirmed') throw fail(403, 'password_confirmation_required')
    return { role: restored.role, reassigned_count: restored.reassigned }
  },
})
