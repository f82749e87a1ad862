import type { Database, Queries } from '#database/connect.ts'
import { change, changeAtOnce } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Mention, mentionsAfter } from '../mentioning.ts'
import { type Comment, readComment } from './comment.ts'

/** The last three are null if there is no such card or parent. */
interface Made {
  has_card: boolean
  id: number | null
  mentions: Mention[] | null
  created_at: string | null
}

/** One round trip, to a function of the database. */
const createStatement = `
  select has_card, (made).id, (made).mentions, (made).created_at
  from create_comment($1, $2, $3, $4, $5, $6::text::jsonb, $7::bigint[])`

/** Adds a comment to a card, or a reply to one of its comments; undefined if the project has no such card. */
export async function createComment(
  queries: Queries,
  quotas: Quotas,
  { projectId, cardId, actorId }: { projectId: number; cardId: number; actorId: number },
  {
    comment,
    parentId,
    mentioned,
  }: { comment: string; parentId: number | null; mentioned: readonly number[] },
): Promise<Comment | 'no parent' | undefined> {
  const values = [
    projectId,
    cardId,
    actorId,
    comment,
    parentId,
    JSON.stringify(quotas),
    mentioned as number[],
  ]
  const [made] = await changeAtOnce<Made>(queries, projectId, createStatement, values)
  if (!made?.has_card) return undefined
  const { id, mentions, created_at } = made
  if (id === null || created_at === null) return 'no parent'
  return {
    ...{ id, project_id: projectId, card_id: cardId, user_id: actorId, parent_comment_id: parentId },
    ...{ comment, mentions: mentions ?? [], is_read: true, read_at: created_at },
    ...{ created_at, updated_at: created_at, deleted_at: null },
  }
}

interface Present {
  card_id: number
  board_id: number
  user_id: number
  comment: string
  mentions: Mention[] | null
}

/**
 * Changes a comment, which only its author may do; undefined if the project has no such comment. Without `mentioned` the same people stay
 * mentioned.
 */
export function changeComment(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  comment: string,
  mentioned: readonly number[] | undefined,
): Promise<Comment | 'not own' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [found] = await sql<Present[]>`
      select m.card_id, c.board_id, m.user_id, m.comment, m.mentions from comments m
      join cards c on c.project_id = ${projectId} and c.id = m.card_id
      where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
    if (!found) return undefined
    if (found.user_id !== actorId) return 'not own'
    if (found.comment === comment) return readComment(queries, actorId, projectId, id)
    const before = found.mentions ?? []
    const ids = mentioned ?? before.map(({ user_id }) => user_id)
    const mentions = await mentionsAfter(queries, projectId, before, ids)
    await sql`
      update comments set comment = ${comment}, mentions = ${mentions && JSON.stringify(mentions)}::text::jsonb, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const { board_id: boardId, card_id: cardId } = found
    const data = { comment_id: id }
    await recordEvent(queries, { boardId, cardId, actorId, kind: 'comment.updated', data })
    const commentBytes = Buffer.byteLength(comment) - Buffer.byteLength(found.comment)
    await takeRoom(queries, quotas, { projectId, boardId }, { commentBytes })
    return readComment(queries, actorId, projectId, id)
  })
}
