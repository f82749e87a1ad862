import { keepingCoverage } from '#coverage/counts.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { forgetGroupSizes } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { deleteComments } from '../comment/deleting.ts'

/** Deletes a board with its groups, cards and comments; undefined if the project has no such board. */
export function deleteBoard(
  db: Database,
  { projectId, id, actorId }: Action,
): Promise<'deleted' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [board] = await sql<{ title: string; master_board_id: number | null }[]>`
      select title, master_board_id from boards where project_id = ${projectId} and id = ${id} and deleted_at is null`
    if (!board) return undefined
    await sql`
      update groups set deleted_at = now(), updated_at = now()
      where project_id = ${projectId} and board_id = ${id} and deleted_at is null`
    const cards = await sql<{ id: number }[]>`
      update cards set deleted_at = now(), updated_at = now()
      where project_id = ${projectId} and board_id = ${id} and deleted_at is null returning id`
    const deletion = () => sql`
      update boards set deleted_at = now(), deleted_by = ${actorId}, deleted_cards = ${cards.length}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const { master_board_id: boardId } = board
    await (boardId === null
      ? deletion()
      : keepingCoverage(queries, { projectIds: [projectId], boardId }, deletion))
    const cardIds = cards.map((card) => card.id)
    await deleteComments(queries, projectId, cardIds)
    // Later boards move up, so the event concerns every board of the project.
    const data = { board_id: id, title: board.title, cards_count: cards.length }
    await recordEvent(queries, { boardId: null, actorId, kind: 'board.deleted', data })
    await sql`delete from board_sizes where project_id = ${projectId} and board_id = ${id}`
    await forgetGroupSizes(queries, [projectId])
    return 'deleted'
  })
}
