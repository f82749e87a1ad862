import type { Action } from '#boards/action.ts'
import type { Database, Queries } from '#database/connect.ts'
import { mostOrderedInEvent } from '#events/catalogue.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'

interface Listed {
  id: number
  sort_order: number
  /** Where the template puts the card, if the card is the template's and in its group. */
  template_rank: number | null
}

/** The cards of a group in their order. */
const cardsStatement = `
  select c.id, c.sort_order, base.rank as template_rank
  from groups g join cards c on c.project_id = $1 and c.group_id = g.id and c.deleted_at is null
  left join master_card_revisions base on base.card_id = c.master_card_id and base.revision = c.master_revision
    and base.group_id = g.master_group_id
  where g.project_id = $1 and g.id = $2 order by c.rank`

/**
 * Gives the cards of a group the order of its template, followed by its own cards as they were created; or the order of
 * `wantedIds`, which undoes that. Undefined if the project has no such group.
 */
export function restoreOrder(
  db: Database,
  { projectId, id, actorId }: Action,
  wantedIds: readonly number[] | null,
): Promise<{ card_ids: number[]; previous_card_ids: number[] } | 'other cards' | undefined> {
  return change(db, projectId, async (queries) => {
    const [group] = await queries.sql<{ board_id: number }[]>`
      select board_id from groups where project_id = ${projectId} and id = ${id} and deleted_at is null`
    if (!group) return undefined
    const cards = await queries.run<Listed>(cardsStatement, [projectId, id])
    const previous = cards.map((card) => card.id)
    const order = wantedIds === null ? cards.toSorted(byOrigin).map((card) => card.id) : [...wantedIds]
    if (!isSameSet(order, previous)) return 'other cards'
    const outcome = { card_ids: order, previous_card_ids: previous }
    if (order.every((cardId, place) => cardId === previous[place])) return outcome
    const ranks = new Map(cards.map((card) => [card.id, card.template_rank]))
    await writeCardOrder(
      queries,
      projectId,
      order.map((cardId) => ({ id: cardId, rank: wantedIds === null ? (ranks.get(cardId) ?? null) : null })),
    )
    await recordEvent(queries, {
      boardId: group.board_id,
      actorId,
      kind: 'cards.reordered',
      data: { group_id: id, ...(order.length <= mostOrderedInEvent && { card_ids: order }) },
    })
    return outcome
  })
}

const last = Number.POSITIVE_INFINITY

/** Infinity minus itself is not a number, which counts as equal. */
const byOrigin = (a: Listed, b: Listed) =>
  (a.template_rank ?? last) - (b.template_rank ?? last) || a.sort_order - b.sort_order || a.id - b.id

function isSameSet(some: readonly number[], others: readonly number[]): boolean {
  const ids = new Set(some)
  return ids.size === some.length && ids.size === others.length && others.every((id) => ids.has(id))
}

/**
 * A template's card gets the template's rank, and follows the template's moves again. All others get ranks of the end, which are
 * larger. Without template's ranks the order is the project's own, which rollouts keep.
 */
async function writeCardOrder(
  { sql }: Queries,
  projectId: number,
  order: readonly { id: number; rank: number | null }[],
) {
  const isOwn = order.every(({ rank }) => rank === null)
  await sql`
    with fresh as materialized (
      select id, template_rank, coalesce(template_rank, list_end()) as rank from (
        select * from rows from (json_to_recordset(${JSON.stringify(order)}::text::json) as (id bigint, rank bigint))
          with ordinality as listed (id, template_rank, place) order by place
      ) ordered
    )
    update cards c set rank = fresh.rank,
      is_moved = case when fresh.template_rank is null then c.is_moved or (${isOwn}::boolean and c.master_card_id is not null) else false end
    from fresh where c.project_id = ${projectId} and c.id = fresh.id`
}
