import { operation } from '#api/operation.ts'
import { pageInput, pageOutput, readPage } from '#api/page.ts'
import { type Card, card, readCard } from '#boards/card/card.ts'
import { type Comment, comment, readComments } from '#boards/comment/comment.ts'
import { integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readProvenance, resettable } from '#templates/copies.ts'

const person = record({ id: integer(), name: text() })

/** Of a card that came from a template: its master, and in what the project has made it its own. */
const provenance = record({
  master_card_id: integer(),
  master_board_id: integer(),
  master_board_title: text(),
  revision: integer(),
  newest_revision: integer(),
  changed_fields: list(oneOf(resettable)),
})

export default operation({
  path: '/services/operations/v1/operations/cards/get',
  summary:
    'A card with its board, its comments a page at a time from the newest back, who wrote them, and what it has from a template',
  audience: 'read',
  input: { id: integer(), ...pageInput },
  success: 200,
  message: 'The card.',
  output: record({
    card,
    board_id: integer(),
    /** The oldest of the page first. */
    comments: list(comment),
    comments_count: integer(),
    people: list(person),
    provenance: nullable(provenance),
    ...pageOutput,
  }),
  failures: [403, 404, 422],
  async handle({ input: { id, ...paging }, caller, db, fail }) {
    const page = readPage(paging, fail)
    return inProjectOf({ db, caller, permission: 'read', kind: 'cards', id }, fail, async ({ projectId }) => {
      const [found, { comments, next_cursor }, origin] = await Promise.all([
        readCard(db, projectId, id),
        readComments(db, caller.id, { projectId, cardId: id }, page, 'desc'),
        readProvenance(db, projectId, id),
      ])
      if (!found) return undefined
      return {
        card: found,
        comments: comments.toReversed(),
        next_cursor,
        provenance: origin,
        ...(await surroundings(db, projectId, found, comments)),
      }
    })
  },
})

/** Authors need not be members any more, so their names are told with what they wrote. */
async function surroundings(
  queries: Queries,
  projectId: number,
  { id, created_by }: Card,
  comments: Comment[],
) {
  const ids = new Set([...comments.map((one) => one.user_id), ...(created_by === null ? [] : [created_by])])
  const [row] = await queries.run<{
    board_id: number
    comments_count: number
    people: { id: number; name: string }[]
  }>(
    `select board_id, (select count(*) from comments
       where project_id = $1 and card_id = $2 and deleted_at is null) as comments_count, (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) order by u.id), '[]')
       from users u where u.id = any($3::bigint[])) as people
     from cards where project_id = $1 and id = $2`,
    [projectId, id, [...ids]],
  )
  return row as NonNullable<typeof row>
}
