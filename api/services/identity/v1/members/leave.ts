import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, record } from '#contract/schema.ts'
import { leaveProject } from '#projects/member/removing.ts'
import { lastOwner } from './acting.ts'

export default operation({
  path: '/services/identity/v1/members/leave',
  summary: 'Leave the project; takes effect with your next call',
  about:
    'Your cards in the project become unassigned. To come back you need an invitation. The last owner cannot leave: transfer the ownership first.',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'You left the project.',
  output: record({ unassigned_count: integer() }),
  failures: {
    400: { ...lastOwner, not_a_member: 'You are not a member of this project.' },
  },
  writes: true,
  async handle({ projectId, caller, db, log, http, fail }) {
    const origin = { ...originOf({ http, caller, log }), actorId: caller.id }
    const left = await leaveProject(db, { projectId, isSuperadmin: false, origin })
    if (left === 'not a member') throw fail(400, 'not_a_member')
    if (left === 'last owner') throw fail(400, 'last_owner')
    return { unassigned_count: left.unassigned }
  },
})
