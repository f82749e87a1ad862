import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { keepRevisions, lockMasterBoard } from '#templates/masters.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/delete',
  summary: 'Delete a master board with its groups and cards; the copies stay as ordinary boards',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The master board was deleted.',
  output: nothing,
  failures: { 404: noMasterBoard },
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await db.transaction(async (queries) => {
      const { sql } = queries
      if (!(await lockMasterBoard(queries, id))) throw fail(404, 'master_board_not_found')
      await sql`update master_boards set deleted_at = now() where id = ${id}`
      const groups = await sql<{ id: number }[]>`
        update master_groups set deleted_at = now() where board_id = ${id} and deleted_at is null returning id`
      const cards = await sql<{ id: number }[]>`
        update master_cards set deleted_at = now() where board_id = ${id} and deleted_at is null returning id`
      await keepRevisions(queries, id, caller.id, {
        board: true,
        groupIds: groups.map((group) => group.id),
        cardIds: cards.map((card) => card.id),
      })
    })
    return []
  },
})
