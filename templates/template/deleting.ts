import type { Database } from '#database/connect.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockMasterBoard } from '../masters.ts'

/** Deletes a template with its groups and cards; projects keep their copies as ordinary boards. Undefined if there is none. */
export function deleteTemplate(db: Database, { id, actorId }: Action): Promise<'deleted' | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    if (!(await lockMasterBoard(queries, id))) return undefined
    await sql`update master_boards set deleted_at = now(), recount_due = true where id = ${id}`
    const groups = await sql<{ id: number }[]>`
      update master_groups set deleted_at = now() where board_id = ${id} and deleted_at is null returning id`
    const cards = await sql<{ id: number }[]>`
      update master_cards set deleted_at = now() where board_id = ${id} and deleted_at is null returning id`
    await keepRevisions(queries, id, actorId, {
      board: true,
      groupIds: groups.map((group) => group.id),
      cardIds: cards.map((card) => card.id),
    })
    return 'deleted'
  })
}
