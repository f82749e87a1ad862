import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { group } from '#boards/group/group.ts'
import { restoreGroup } from '#boards/group/restoring.ts'
import { restoredParents } from '#boards/trash/bring-back.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/restore',
  summary: 'Restore a deleted group with the cards and comments deleted with it, and optionally its board',
  audience: 'manage',
  on: { 'deleted group': 'id' },
  input: { id: integer(), with_parents: optional(flag()) },
  success: 200,
  message: 'The group was restored.',
  output: record({ group, restored_parents: restoredParents }),
  failures: {
    400: {
      ...limitReached,
      board_deleted: 'The board of this group was deleted; with_parents restores both.',
      group_not_deleted: 'This group is not deleted.',
    },
  },
  writes: true,
  async handle({ input: { id, with_parents }, caller, projectId, db, quotas, fail }) {
    const withParents = with_parents === true
    const restoring = restoreGroup(db, quotas, { projectId, id, actorId: caller.id }, { withParents })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (restored === 'board deleted') throw fail(400, 'board_deleted')
    if (restored === 'not deleted') throw fail(400, 'group_not_deleted')
    return restored
  },
})
