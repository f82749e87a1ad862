import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { group } from '#boards/group/group.ts'
import { restoreGroup } from '#boards/group/restoring.ts'
import { restoredParents } from '#boards/trash/bring-back.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/restore',
  summary:
    'Bring a deleted group back with the cards and comments that went with it, and with its board where asked',
  audience: 'manage',
  input: { id: integer(), with_parents: optional(flag()) },
  success: 200,
  message: 'The group was restored.',
  output: record({ group, restored_parents: restoredParents }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id, with_parents }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'manage', kind: 'groups', id, isDeleted: true } as const
    const withParents = with_parents === true
    const restored = await inProjectOf(question, fail, ({ projectId }) =>
      restoreGroup(db, quotas, { projectId, id, actorId: caller.id }, { withParents }),
    ).catch(refusedByState(fail))
    if (restored === 'board deleted')
      throw fail(400, 'The board of this group was deleted; with_parents restores both.')
    if (restored === 'not deleted') throw fail(400, 'This group is not deleted.')
    return restored
  },
})
