import { flag, integer, nullable, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { shownId } from '#events/shown-name.ts'
import { mentions } from '../mentioning.ts'

/** The contract's Comment, with whether the caller has read it. */
export const comment = record({
  id: integer(),
  project_id: integer(),
  card_id: integer(),
  user_id: integer(),
  parent_comment_id: nullable(integer()),
  comment: text(),
  mentions: onlyInV2(mentions),
  is_read: flag(),
  read_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
})

export type Comment = (typeof comment)['static']

/** When a person joined the project; null for superadmins who are no members. */
export const joinedAt = (projectId: string, userId: string) =>
  `(select joined.created_at from memberships joined where joined.project_id = ${projectId} and joined.user_id = ${userId})`

/**
 * `m` is the comment, `r` the mark that it was read, `$1` the caller, `$2` the project. Authors have read their own, and everybody what was
 * written before they joined.
 */
export const commentColumns = `
  m.id, m.project_id, m.card_id, (select ${shownId('$2', '$1')} from users u where u.id = m.user_id) as user_id, m.parent_comment_id, m.comment,
  coalesce(m.mentions, '[]') as mentions,
  m.user_id = $1 or r.read_at is not null or coalesce(m.created_at < ${joinedAt('$2', '$1')}, false) as is_read,
  wire_time(case when m.user_id = $1 then m.created_at when r.read_at is not null then r.read_at
    when m.created_at < ${joinedAt('$2', '$1')} then ${joinedAt('$2', '$1')} end) as read_at,
  wire_time(m.created_at) as created_at, wire_time(m.updated_at) as updated_at, wire_time(m.deleted_at) as deleted_at`

const commentsWithReading = `comments m
  left join comment_reads r on r.project_id = $2 and r.comment_id = m.id and r.user_id = $1`

export async function readComment(queries: Queries, readerId: number, projectId: number, id: number) {
  const [found] = await queries.run<Comment>(
    `select ${commentColumns} from ${commentsWithReading}
     where m.project_id = $2 and m.id = $3 and m.deleted_at is null`,
    [readerId, projectId, id],
  )
  return found
}
