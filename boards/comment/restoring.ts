import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Comment, readComment } from './comment.ts'

interface DeletedComment {
  card_id: number
  board_id: number
  user_id: number
  /** In full precision, because replies deleted with the comment have the same time. */
  deleted_at: string | null
  is_orphan: boolean
}

/** Restores a comment with the replies that were deleted with it; `onlyOwn` restricts it to the author. Undefined if the project has no such comment. */
export function restoreComment(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { onlyOwn }: { onlyOwn: boolean },
): Promise<Comment | 'not deleted' | 'not own' | 'parent deleted' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [deleted] = await sql<DeletedComment[]>`
      select m.card_id, c.board_id, m.user_id, m.deleted_at::text as deleted_at,
        parent.deleted_at is not null as is_orphan
      from comments m join cards c on c.project_id = ${projectId} and c.id = m.card_id and c.deleted_at is null
      left join comments parent on parent.project_id = ${projectId} and parent.id = m.parent_comment_id
      where m.project_id = ${projectId} and m.id = ${id}
        and coalesce(m.deleted_at > kept_since(), true)`
    if (!deleted) return undefined
    if (deleted.deleted_at === null) return 'not deleted'
    if (onlyOwn && deleted.user_id !== actorId) return 'not own'
    if (deleted.is_orphan) return 'parent deleted'
    const restored = await sql<{ bytes: number }[]>`
      with recursive thread as (
        select ${id}::bigint as id
        union all
        select reply.id from comments reply join thread on thread.id = reply.parent_comment_id
        where reply.project_id = ${projectId} and reply.deleted_at = ${deleted.deleted_at}::timestamptz
      )
      update comments set deleted_at = null where project_id = ${projectId} and id in (select id from thread)
      returning octet_length(comment) as bytes`
    const { board_id: boardId, card_id: cardId } = deleted
    const data = { comment_id: id }
    await recordEvent(queries, { boardId, cardId, actorId, kind: 'comment.restored', data })
    const growth = { commentBytes: sumOf(restored), commentedId: cardId }
    await takeRoom(queries, quotas, { projectId, boardId }, growth)
    return readComment(queries, actorId, projectId, id)
  })
}

/** Restores the comments that were deleted with the cards, and so at the same time as each, and returns the size of each card's in bytes. */
export async function restoreComments(
  { sql }: Queries,
  projectId: number,
  cards: readonly { id: number; deleted_at: string }[],
): Promise<{ card_id: number; bytes: number }[]> {
  return sql<{ card_id: number; bytes: number }[]>`
    with back as (
      update comments m set deleted_at = null
      from jsonb_to_recordset(${JSON.stringify(cards)}::text::jsonb) as card (id bigint, deleted_at timestamptz)
      where m.project_id = ${projectId} and m.card_id = card.id and m.deleted_at = card.deleted_at
      returning m.card_id, m.comment
    ) select card_id, sum(octet_length(comment))::bigint as bytes from back group by card_id`
}
