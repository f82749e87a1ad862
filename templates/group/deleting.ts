import type { Database } from '#database/connect.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'

/**
 * Deletes a template's group with its cards; projects keep their copies as ordinary groups and cards. Undefined if there is no such
 * group.
 */
export function deleteTemplateGroup(db: Database, { id, actorId }: Action): Promise<'deleted' | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const board = await lockBoardOf(queries, 'master_groups', id)
    if (!board) return undefined
    const groups = await sql`
      update master_groups set deleted_at = now() where id = ${id} and deleted_at is null returning id`
    if (groups.length === 0) return undefined
    const cards = await sql<{ id: number }[]>`
      update master_cards set deleted_at = now() where group_id = ${id} and deleted_at is null returning id`
    await keepRevisions(queries, board.id, actorId, {
      groupIds: [id],
      cardIds: cards.map((card) => card.id),
    })
    return 'deleted'
  })
}
