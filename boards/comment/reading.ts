import type { Queries } from '#database/connect.ts'
import { isOnBoard } from '../group/archiving.ts'
import { type Comment, commentColumns, joinedAt } from './comment.ts'

export interface Page {
  /** The id after which the page begins; null for the first page. */
  after: number | null
  limit: number
}

/** Limits a page of comments in addition to their number, because comments may be long. */
const mostTextBytes = 1_000_000

/** A page of a card's comments from one end; long texts make it shorter, but it has at least one. */
const pageStatement = (order: 'asc' | 'desc') => `
  with sized as (
    select m.id, sum(octet_length(m.comment)) over (order by m.id ${order}) - octet_length(m.comment) as bytes_before
    from comments m
    where m.project_id = $2 and m.card_id = $3 and m.deleted_at is null
      and ($4::bigint is null or m.id ${order === 'asc' ? '>' : '<'} $4)
    order by m.id ${order} limit $5 + 1
  )
  select ${commentColumns}, (select count(*) from sized) as found
  from sized cross join lateral (select * from comments where project_id = $2 and id = sized.id) m
  left join comment_reads r on r.project_id = $2 and r.comment_id = m.id and r.user_id = $1
  where sized.bytes_before < ${mostTextBytes} order by m.id ${order} limit $5`

const pages = { asc: pageStatement('asc'), desc: pageStatement('desc') }

export async function readComments(
  queries: Queries,
  { projectId, cardId, readerId }: { projectId: number; cardId: number; readerId: number },
  { after, limit }: Page,
  order: 'asc' | 'desc',
): Promise<{ comments: Comment[]; next_cursor: string | null }> {
  const values = [readerId, projectId, cardId, after, limit]
  const comments = await queries.run<Comment & { found: number }>(pages[order], values)
  const hasMore = comments.length < (comments[0]?.found ?? 0)
  return { comments, next_cursor: hasMore ? String(comments.at(-1)?.id) : null }
}

/** A page of a card's comments, oldest first; undefined if the project has no such card. */
export async function listComments(
  queries: Queries,
  { projectId, cardId, readerId }: { projectId: number; cardId: number; readerId: number },
  page: Page,
) {
  const cards = await queries.run(
    'select from cards where project_id = $1 and id = $2 and deleted_at is null',
    [projectId, cardId],
  )
  if (cards.length === 0) return undefined
  return readComments(queries, { projectId, cardId, readerId }, page, 'asc')
}

/** What was written before the person joined is no news to them. `$1` is the project. */
export const isSinceJoining = (comment: string, userId: string) =>
  `${comment}.created_at >= coalesce(${joinedAt('$1', userId)}, '-infinity')`

/** Returns no row if the project has no such card. */
const markStatement = `
  with card as (select id from cards where project_id = $1 and id = $2 and deleted_at is null),
  named as (
    select m.id, m.user_id, m.created_at from comments m, card
    where m.project_id = $1 and m.card_id = card.id and m.deleted_at is null and ($3::bigint is null or m.id = $3)
  ),
  marked as (
    insert into comment_reads (project_id, comment_id, user_id)
    select $1, id, $4 from named where user_id <> $4 and ${isSinceJoining('named', '$4')}
    on conflict (project_id, comment_id, user_id) do nothing
    returning comment_id
  )
  select $3::bigint is null or exists (select from named) as has_comment, (select count(*) from marked) as read_count
  from card`

/** Marks one or all comments of a card as read, and returns how many were unread. Undefined if the project has no such card. */
export async function markRead(
  queries: Queries,
  { projectId, cardId, readerId }: { projectId: number; cardId: number; readerId: number },
  commentId: number | null,
): Promise<number | 'no comment' | undefined> {
  const values = [projectId, cardId, commentId, readerId]
  const [row] = await queries.run<{ has_comment: boolean; read_count: number }>(markStatement, values)
  return row && (row.has_comment ? row.read_count : 'no comment')
}

const unreadStatement = `
  select m.card_id, count(*) as unread_count
  from cards c
  join comments m on m.project_id = $1 and m.card_id = c.id and m.deleted_at is null and m.user_id <> $3
    and ${isSinceJoining('m', '$3')}
  where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null and ${isOnBoard('c')} and not exists (
    select from comment_reads r where r.project_id = $1 and r.comment_id = m.id and r.user_id = $3)
  group by m.card_id order by m.card_id`

/** The numbers of unread comments by card; undefined if the project has no such board. */
export async function countUnread(
  queries: Queries,
  { projectId, boardId, readerId }: { projectId: number; boardId: number; readerId: number },
): Promise<{ card_id: number; unread_count: number }[] | undefined> {
  const boards = await queries.run(
    'select from boards where project_id = $1 and id = $2 and deleted_at is null',
    [projectId, boardId],
  )
  if (boards.length === 0) return undefined
  return queries.run(unreadStatement, [projectId, boardId, readerId])
}
