import { notFound } from '#api/failures.ts'
import { badGroups, refuseDuplicates, refuseGroups } from '#api/listed-groups.ts'
import { operation } from '#api/operation.ts'
import { arranged } from '#boards/ordering.ts'
import { integer, list, nothing, record } from '#contract/schema.ts'
import { keepRevisions, lockMasterBoard, writeMasterOrder } from '#templates/masters.ts'
import { masterGroupRanks } from './master-group.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/reorder',
  summary: 'Give groups of a master board new places; those that are not named keep their order around them',
  audience: 'superadmin',
  input: {
    board_id: integer(),
    groups: list(record({ id: integer(), position: integer() }), { max: 1000 }),
  },
  success: 200,
  message: 'The master groups were reordered.',
  output: nothing,
  failures: { 422: { ...badGroups, board_id: notFound } },
  writes: true,
  async handle({ input: { board_id: boardId, groups }, caller, db, fail }) {
    refuseDuplicates(groups, fail)
    await db.transaction(async (queries) => {
      if (!(await lockMasterBoard(queries, boardId))) throw fail(422, { board_id: 'not_found' })
      const order = await masterGroupRanks(queries, boardId)
      const ranks = new Map(order.map(({ id, rank }) => [id, rank]))
      refuseGroups(groups, ({ id }) => !ranks.has(id), fail)
      const ids = arranged([...ranks.keys()], groups)
      const moved = await writeMasterOrder(
        queries,
        { boardId },
        ids.map((id) => ({ id, rank: ranks.get(id) })),
      )
      if (moved.length > 0) await keepRevisions(queries, boardId, caller.id, { groupIds: moved })
    })
    return []
  },
})
