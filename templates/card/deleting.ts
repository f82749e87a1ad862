import type { Database } from '#database/connect.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { startPush } from '../starting.ts'

/**
 * Deletes a template's card, and on request starts the rollout that deletes it from the projects; without it they keep their copies
 * as ordinary cards. Undefined if there is no such card.
 */
export function deleteTemplateCard(
  db: Database,
  { id, actorId }: Action,
  { fromProjects }: { fromProjects: boolean },
): Promise<{ pushId: number | null } | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const board = await lockBoardOf(queries, 'master_cards', id)
    if (!board) return undefined
    const cards = await sql`
      update master_cards set deleted_at = now() where id = ${id} and deleted_at is null returning id`
    if (cards.length === 0) return undefined
    await keepRevisions(queries, board.id, actorId, { cardIds: [id] })
    if (!fromProjects) return { pushId: null }
    await sql`update master_cards set withdrawn_revision = revision where id = ${id}`
    return { pushId: await startPush(queries, { kind: 'removal', boardId: board.id, cardId: id, actorId }) }
  })
}
