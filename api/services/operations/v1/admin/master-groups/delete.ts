import { noMasterGroup } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/delete',
  summary: 'Delete a group of a master board with its cards; the copies stay as ordinary groups and cards',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The master group was deleted.',
  output: nothing,
  failures: { 404: noMasterGroup },
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_groups', id)
      const groups = await sql`
        update master_groups set deleted_at = now() where id = ${id} and deleted_at is null returning id`
      if (!board || groups.length === 0) throw fail(404, 'master_group_not_found')
      const cards = await sql<{ id: number }[]>`
        update master_cards set deleted_at = now() where group_id = ${id} and deleted_at is null returning id`
      await keepRevisions(queries, board.id, caller.id, {
        groupIds: [id],
        cardIds: cards.map((card) => card.id),
      })
    })
    return []
  },
})
