import { unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { removeMember } from '#projects/member/removing.ts'
import { actingOf, lastOwner, noMember } from './acting.ts'

export default operation({
  path: '/services/identity/v1/members/remove',
  summary: 'Remove a member from the project; takes effect with their next call',
  about:
    'Their cards in the project become unassigned, their event streams of it end, and invitations that they sent stop working. Only owners remove owners, and a project keeps at least one. Removing another owner is possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`. `members/restore` undoes it for 30 days.',
  audience: 'remove members',
  on: 'project',
  input: { user_id: integer() },
  success: 200,
  message: 'The member was removed.',
  output: record({ unassigned_count: integer() }),
  failures: {
    400: lastOwner,
    403: { ...unconfirmed, owner_needed: 'Only owners can remove an owner.' },
    404: noMember,
  },
  writes: true,
  async handle({ input: { user_id: userId }, projectId, caller, db, log, http, fail }) {
    const removed = await removeMember(db, actingOf({ projectId, caller, http, log }), userId)
    if (removed === 'not a member') throw fail(404, 'member_not_found')
    if (removed === 'is owner') throw fail(403, 'owner_needed')
    if (removed === 'last owner') throw fail(400, 'last_owner')
    if (removed === 'unconfirmed') throw fail(403, 'password_confirmation_required')
    return { unassigned_count: removed.unassigned }
  },
})
