import type { Queries } from '#database/connect.ts'
import type { Finding } from '#events/finding.ts'
import { shownId, shownName } from '#events/shown-name.ts'
import type { Comment } from '../comment/comment.ts'
import { type Page, readComments } from '../comment/reading.ts'
import type { Mention } from '../mentioning.ts'
import { type Card, ofItsCheck, readCard } from './card.ts'

interface OpenedCard {
  card: Card
  board_id: number
  /** The oldest of the page comes first. */
  comments: Comment[]
  comments_count: number
  /** What the last report of its check said. */
  evaluation_detail: string | Finding | null
  next_cursor: string | null
  /** Whom the description mentions. */
  mentions: Mention[]
  people: { id: number; name: string }[]
}

/** A card with a page of its comments, from the newest back, and their authors. */
export async function openCard(
  queries: Queries,
  { projectId, id, readerId }: { projectId: number; id: number; readerId: number },
  page: Page,
): Promise<OpenedCard | undefined> {
  const [card, { comments, next_cursor }] = await Promise.all([
    readCard(queries, projectId, id),
    readComments(queries, { projectId, cardId: id, readerId }, page, 'desc'),
  ])
  if (!card) return undefined
  const around = await surroundings(queries, { projectId, id, readerId }, comments)
  return around && { card, comments: comments.toReversed(), next_cursor, ...around }
}

/** Authors and reporters may have left the project, so their names are sent along. */
async function surroundings(
  queries: Queries,
  { projectId, id, readerId }: { projectId: number; id: number; readerId: number },
  comments: Comment[],
) {
  type Row = Pick<OpenedCard, 'board_id' | 'comments_count' | 'evaluation_detail' | 'mentions' | 'people'>
  const [row] = await queries.run<Row>(
    `select c.board_id, coalesce(c.mentions, '[]') as mentions, ${ofItsCheck('coalesce(c.evaluation_finding, to_jsonb(c.evaluation_detail))')} as evaluation_detail, (select count(*) from comments
       where project_id = $1 and card_id = $2 and deleted_at is null) as comments_count, (select coalesce(json_agg(distinct jsonb_build_object('id', ${shownId('$1', '$3')}, 'name', ${shownName('$1')})), '[]')
       from users u where u.id = any(array[c.created_by, ${ofItsCheck('c.evaluated_by')}] || array(select user_id from comments where project_id = $1 and id = any($4::bigint[])))) as people
     from cards c where c.project_id = $1 and c.id = $2`,
    [projectId, id, readerId, comments.map((one) => one.id)],
  )
  return row
}
