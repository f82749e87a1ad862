import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'

/** Deletes a comment with its replies and theirs; `onlyOwn` restricts it to the author. Undefined if the project has no such comment. */
export function deleteComment(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { onlyOwn }: { onlyOwn: boolean },
): Promise<'deleted' | 'not own' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [found] = await sql<{ card_id: number; board_id: number; user_id: number }[]>`
      select m.card_id, c.board_id, m.user_id from comments m
      join cards c on c.project_id = ${projectId} and c.id = m.card_id
      where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
    if (!found) return undefined
    if (onlyOwn && found.user_id !== actorId) return 'not own'
    const deleted = await sql<{ bytes: number }[]>`
      with recursive thread as (
        select ${id}::bigint as id
        union all
        select reply.id from comments reply join thread on thread.id = reply.parent_comment_id
        where reply.project_id = ${projectId} and reply.deleted_at is null
      )
      update comments set deleted_at = now()
      where project_id = ${projectId} and id in (select id from thread)
      returning octet_length(comment) as bytes`
    const { board_id: boardId, card_id: cardId } = found
    const data = { comment_id: id }
    await recordEvent(queries, { boardId, cardId, actorId, kind: 'comment.deleted', data })
    await takeRoom(queries, quotas, { projectId, boardId }, { commentBytes: -sumOf(deleted) })
    return 'deleted'
  })
}

/** Deletes the comments of cards that were just deleted, at the same time as each card, and returns the size of each card's in bytes. */
export async function deleteComments(
  { sql }: Queries,
  projectId: number,
  cardIds: readonly number[],
): Promise<{ card_id: number; bytes: number }[]> {
  return sql<{ card_id: number; bytes: number }[]>`
    with gone as (
      update comments m set deleted_at = c.deleted_at from cards c
      where m.project_id = ${projectId} and m.card_id = any(${cardIds as number[]}::bigint[]) and m.deleted_at is null
        and c.project_id = ${projectId} and c.id = m.card_id
      returning m.card_id, m.comment
    ) select card_id, sum(octet_length(comment))::bigint as bytes from gone group by card_id`
}
