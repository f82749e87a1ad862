import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, record } from '#contract/schema.ts'
import { removeMember } from '#projects/members.ts'

export default operation({
  path: '/services/identity/v1/members/remove',
  summary: 'Remove a member from the project; takes effect with their next call',
  about:
    'Their cards in the project become unassigned and their event streams of it end. Only owners remove owners, and a project keeps at least one.',
  audience: 'manage members',
  on: 'project',
  input: { user_id: integer() },
  success: 200,
  message: 'The member was removed.',
  output: record({ unassigned_count: integer() }),
  failures: {
    400: { last_owner: 'A project needs at least one owner.' },
    403: { owner_needed: 'Only owners can remove an owner.' },
    404: { member_not_found: 'The project has no member with this id.' },
  },
  writes: true,
  async handle({ input: { user_id: userId }, projectId, role, caller, db, log, http, fail }) {
    const mayRemoveOwners = role === 'owner' || caller.superadmin
    const removed = await removeMember(
      db,
      { projectId, userId, mayRemoveOwners },
      originOf({ http, caller, log }),
    )
    if (removed === 'not a member') throw fail(404, 'member_not_found')
    if (removed === 'is owner') throw fail(403, 'owner_needed')
    if (removed === 'last owner') throw fail(400, 'last_owner')
    return { unassigned_count: removed.unassigned }
  },
})
