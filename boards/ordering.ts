import { assignments } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { Changes } from './changes.ts'

/** The lists that are short enough to be rewritten when their order changes. */
type ShortList = 'boards' | 'groups' | 'tags'

/**
 * The new order of a list. Each wanted entry takes its position, counted from 1; a position outside the list means its nearest end. If two
 * entries want the same position, the one listed later takes the next. The other entries keep their order in the remaining positions.
 */
export function arranged(
  current: readonly number[],
  wanted: readonly { id: number; position: number }[],
): number[] {
  const named = new Set(wanted.map(({ id }) => id))
  const rest = current.filter((id) => !named.has(id))
  const places = new Map<number, number>()
  const taken = wanted.toSorted((a, b) => a.position - b.position)
  taken.forEach(({ id, position }, index) => {
    const first = index
    const last = current.length - taken.length + index
    const asked = Math.min(Math.max(position - 1, first), last)
    const previous = index === 0 ? -1 : (places.get(taken[index - 1]?.id as number) as number)
    places.set(id, Math.max(asked, previous + 1))
  })
  const byPlace = new Map([...places].map(([id, place]) => [place, id]))
  return current.map((_id, place) => byPlace.get(place) ?? (rest.shift() as number))
}

/** The wanted position of a single entry; its current position is no move. */
export const placeIn = (list: readonly number[], position: number | null | undefined) =>
  position === null || position === undefined ? undefined : Math.min(Math.max(position, 1), list.length)

/**
 * Writes an order with new ranks from the end of the list, so that no rank occurs twice. Materialized, because a join may evaluate
 * the ranks more than once, with different results.
 */
export async function writeOrder(
  { sql }: Queries,
  list: ShortList,
  projectId: number,
  ids: readonly number[],
) {
  await sql`
    with fresh as materialized (
      select id, list_end() as rank from (
        select id from unnest(${ids as number[]}::bigint[]) with ordinality as listed (id, place) order by place
      ) ordered
    )
    update ${sql(list)} item set rank = fresh.rank from fresh
    where item.project_id = ${projectId} and item.id = fresh.id`
  // From now on, rollouts keep the project's order.
  if (list === 'groups')
    await sql`
      update boards set has_own_order = true where not has_own_order and project_id = ${projectId} and id in (
        select board_id from groups where project_id = ${projectId} and id = any(${ids as number[]}::bigint[]))`
}

/** As many ranks, each behind all that were ever given. */
export async function listEnds({ sql }: Queries, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await sql<
    { rank: number }[]
  >`select list_end() as rank from generate_series(1, ${count}::integer)`
  return rows.map(({ rank }) => rank)
}

/** The ids of a project's list in their order. */
export async function orderInProject(
  { sql }: Queries,
  list: 'boards' | 'tags',
  projectId: number,
): Promise<number[]> {
  const items = await sql<{ id: number }[]>`
    select id from ${sql(list)} where project_id = ${projectId} and deleted_at is null order by rank`
  return items.map(({ id }) => id)
}

/** Writes the changes of a thing in a short list, including its position; false if it was deleted since it was read. */
export async function writeChanges(
  queries: Queries,
  {
    list,
    projectId,
    id,
    order,
  }: { list: ShortList; projectId: number; id: number; order: readonly number[] },
  { values: { position, ...columns } }: Pick<Changes<object>, 'values'>,
): Promise<boolean> {
  const { sql } = queries
  if (position !== undefined)
    await writeOrder(queries, list, projectId, arranged(order, [{ id, position: Number(position) }]))
  const written = await sql`
    update ${sql(list)} set ${assignments(queries, { ...columns, updated_at: sql`now()` })}
    where project_id = ${projectId} and id = ${id} and deleted_at is null`
  return written.count > 0
}
