import { flag, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

/** The contract's Comment, as the caller has read it or not. */
export const comment = record({
  id: integer(),
  project_id: integer(),
  card_id: integer(),
  user_id: integer(),
  parent_comment_id: nullable(integer()),
  comment: text(),
  is_read: flag(),
  read_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
})

export type Comment = (typeof comment)['static']

/** `m` is the comment, `r` the caller's reading of it, `$1` the caller, who has read their own. */
const commentColumns = `
  m.id, m.project_id, m.card_id, m.user_id, m.parent_comment_id, m.comment,
  m.user_id = $1 or r.read_at is not null as is_read,
  wire_time(case when m.user_id = $1 then m.created_at else r.read_at end) as read_at,
  wire_time(m.created_at) as created_at, wire_time(m.updated_at) as updated_at, wire_time(m.deleted_at) as deleted_at`

const commentsWithReading = `comments m
  left join comment_reads r on r.project_id = m.project_id and r.comment_id = m.id and r.user_id = $1`

export async function readComment(queries: Queries, callerId: number, projectId: number, id: number) {
  const [found] = await queries.run<Comment>(
    `select ${commentColumns} from ${commentsWithReading}
     where m.project_id = $2 and m.id = $3 and m.deleted_at is null`,
    [callerId, projectId, id],
  )
  return found
}

/** Of one page of comments, beside their number: what people write on one card may be long. */
const mostTextBytes = 1_000_000

/** A page of a card's comments, from one end; it ends early where the texts are long, but never before the first. */
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
  callerId: number,
  { projectId, cardId }: { projectId: number; cardId: number },
  { after, limit }: { after: number | null; limit: number },
  order: 'asc' | 'desc',
): Promise<{ comments: Comment[]; next_cursor: string | null }> {
  const values = [callerId, projectId, cardId, after, limit]
  const comments = await queries.run<Comment & { found: number }>(pages[order], values)
  const hasMore = comments.length < (comments[0]?.found ?? 0)
  return { comments, next_cursor: hasMore ? String(comments.at(-1)?.id) : null }
}

/** Deletes what is said on cards, with them; answers how many bytes that were. */
export async function deleteComments(
  { sql }: Queries,
  projectId: number,
  cardIds: readonly number[],
): Promise<number> {
  const [deleted] = await sql<{ bytes: number }[]>`
    with gone as (
      update comments set deleted_at = now()
      where project_id = ${projectId} and card_id = any(${cardIds as number[]}::bigint[]) and deleted_at is null
      returning comment
    ) select coalesce(sum(octet_length(comment)), 0)::bigint as bytes from gone`
  return deleted?.bytes as number
}

/** Brings back what was deleted with the cards at that moment; answers how many bytes that are. */
export async function restoreComments(
  { sql }: Queries,
  projectId: number,
  cardIds: readonly number[],
  deletedAt: string,
): Promise<number> {
  const [restored] = await sql<{ bytes: number }[]>`
    with back as (
      update comments set deleted_at = null
      where project_id = ${projectId} and card_id = any(${cardIds as number[]}::bigint[])
        and deleted_at = ${deletedAt}::timestamptz
      returning comment
    ) select coalesce(sum(octet_length(comment)), 0)::bigint as bytes from back`
  return restored?.bytes as number
}
