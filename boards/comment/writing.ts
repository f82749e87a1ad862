import type { Database, Queries } from '#database/connect.ts'
import { change, changeAtOnce } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Comment, readComment } from './comment.ts'

interface Made {
  has_card: boolean
  is_parent_valid: boolean
  comment: Comment | null
}

/** One round trip, to a function of the database. */
const createStatement = `
  select has_card, is_parent_valid, (select row_to_json(wire) from (
    select id, project_id, card_id, user_id, parent_comment_id, comment, true as is_read,
      wire_time(created_at) as read_at, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at,
      wire_time(deleted_at) as deleted_at
    from (select (made).*) m where id is not null) wire) as comment
  from create_comment($1, $2, $3, $4, $5, $6::text::jsonb)`

/** Adds a comment to a card, or a reply to one of its comments; undefined if the project has no such card. */
export async function createComment(
  queries: Queries,
  quotas: Quotas,
  { projectId, cardId, actorId }: { projectId: number; cardId: number; actorId: number },
  { comment, parentId }: { comment: string; parentId: number | null },
): Promise<Comment | 'no parent' | undefined> {
  const values = [projectId, cardId, actorId, comment, parentId, JSON.stringify(quotas)]
  const [made] = await changeAtOnce<Made>(queries, projectId, createStatement, values)
  if (!made?.has_card) return undefined
  return made.comment ?? 'no parent'
}

/** Changes a comment, which only its author may do; undefined if the project has no such comment. */
export function changeComment(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  comment: string,
): Promise<Comment | 'not own' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [found] = await sql<{ card_id: number; board_id: number; user_id: number; comment: string }[]>`
      select m.card_id, c.board_id, m.user_id, m.comment from comments m
      join cards c on c.project_id = ${projectId} and c.id = m.card_id
      where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
    if (!found) return undefined
    if (found.user_id !== actorId) return 'not own'
    if (found.comment === comment) return readComment(queries, actorId, projectId, id)
    await sql`
      update comments set comment = ${comment}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const { board_id: boardId, card_id: cardId } = found
    const data = { comment_id: id }
    await recordEvent(queries, { boardId, cardId, actorId, kind: 'comment.updated', data })
    const commentBytes = Buffer.byteLength(comment) - Buffer.byteLength(found.comment)
    await takeRoom(queries, quotas, { projectId, boardId }, { commentBytes })
    return readComment(queries, actorId, projectId, id)
  })
}
