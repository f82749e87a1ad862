import type { Database, Queries } from '#database/connect.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'

/** Deletes a template's card; projects keep their copies as ordinary cards. Undefined if there is no such card. */
export function deleteTemplateCard(db: Database, action: Action): Promise<{ boardId: number } | undefined> {
  return db.transaction((queries) => removeTemplateCard(queries, action))
}

/** The same inside a transaction, which goes on to delete the copies. */
export async function removeTemplateCard(
  queries: Queries,
  { id, actorId }: Action,
): Promise<{ boardId: number } | undefined> {
  const board = await lockBoardOf(queries, 'master_cards', id)
  if (!board) return undefined
  const cards = await queries.sql`
    update master_cards set deleted_at = now() where id = ${id} and deleted_at is null returning id`
  if (cards.length === 0) return undefined
  await keepRevisions(queries, board.id, actorId, { cardIds: [id] })
  return { boardId: board.id }
}
