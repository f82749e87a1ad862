import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeFromGroup, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { deleteComments } from '../comment/deleting.ts'

interface Present {
  board_id: number
  group_id: number
  title: string
  created_by: number | null
  bytes: number
}

/** Deletes a card with its comments; `onlyOwn` restricts it to the creator. Undefined if the project has no such card. */
export function deleteCard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { onlyOwn }: { onlyOwn: boolean },
): Promise<'deleted' | 'not own' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [card] = await sql<Present[]>`
      select board_id, group_id, title, created_by, bytes from cards
      where project_id = ${projectId} and id = ${id} and deleted_at is null`
    if (!card) return undefined
    if (onlyOwn && card.created_by !== actorId) return 'not own'
    await sql`
      update cards set deleted_at = now(), deleted_by = ${actorId}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const commentBytes = -(await deleteComments(queries, projectId, [id]))
    const { board_id: boardId, title } = card
    await recordEvent(queries, { boardId, cardId: id, actorId, kind: 'card.deleted', data: { title } })
    await takeFromGroup(queries, projectId, card.group_id)
    await takeRoom(queries, quotas, { projectId, boardId }, { cards: -1, bytes: -card.bytes, commentBytes })
    return 'deleted'
  })
}
