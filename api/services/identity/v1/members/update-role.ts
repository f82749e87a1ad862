import { unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { integer, oneOf, record } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { changeRole } from '#projects/member/changing-role.ts'
import { actingOf, lastOwner, noMember, roleTooHigh } from './acting.ts'

export default operation({
  path: '/services/identity/v1/members/update-role',
  summary: 'Give a member another role; takes effect with their next call',
  about:
    'You cannot give a role above your own, and only owners change the role of an owner. A project keeps at least one owner. Making someone an owner, or another owner no longer one, is possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'manage members',
  on: 'project',
  input: { user_id: integer(), role: oneOf(roles) },
  success: 200,
  message: 'The role was changed.',
  output: record({ member: record({ user_id: integer(), role: oneOf(roles) }) }),
  failures: {
    400: lastOwner,
    403: { ...unconfirmed, ...roleTooHigh, owner_needed: 'Only owners can change the role of an owner.' },
    404: noMember,
  },
  writes: true,
  async handle({ input: { user_id: userId, role }, projectId, caller, db, log, http, fail }) {
    const changed = await changeRole(db, actingOf({ projectId, caller, http, log }), { userId, role })
    if (changed === 'not a member') throw fail(404, 'member_not_found')
    if (changed === 'is owner') throw fail(403, 'owner_needed')
    if (changed === 'role too high') throw fail(403, 'role_too_high')
    if (changed === 'last owner') throw fail(400, 'last_owner')
    if (changed === 'unconfirmed') throw fail(403, 'password_confirmation_required')
    return { member: { user_id: userId, role: changed.role } }
  },
})
