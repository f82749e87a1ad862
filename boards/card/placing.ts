// Finds the ranks of cards that are moved together: each list is read once, in whatever order they move.
import type { Queries } from '#database/connect.ts'
import { listEnds } from '../ordering.ts'

export interface Move {
  id: number
  /** The group that the card is in, and the one that it moves to. */
  from: number
  to: number
  /** Null for the end of the group. */
  position: number | null
}

/** The ranks of the cards of a group, in order. */
type List = ReadonlyMap<number, number>

/**
 * The new ranks of cards that move to a group in which several are placed; a card that is there already keeps its own. The database finds
 * those of all others one by one. Cards around a place without room get new ranks here. The project is locked.
 */
export async function ranksOfMoves(
  queries: Queries,
  projectId: number,
  moves: readonly Move[],
): Promise<Map<number, number>> {
  const byGroup = Map.groupBy(moves, ({ to }) => to)
  const groups = [...byGroup.keys()].filter((id) => {
    const own = byGroup.get(id) as Move[]
    return own.length > 1 && own.some(({ position }) => position !== null)
  })
  if (groups.length === 0) return new Map()
  const lists = await readLists(queries, projectId, groups)
  const found = new Map<number, number>()
  for (const [group, order] of ordersAfter(lists, moves)) {
    const list = lists.get(group) as List
    const ranks = ranksIn(order, list)
    const atEnd = [...ranks].filter(([, rank]) => rank === 'end').map(([id]) => id)
    const ends = new Map((await listEnds(queries, atEnd.length)).map((end, index) => [atEnd[index], end]))
    const rankOf = (id: number) => ends.get(id) ?? (ranks.get(id) as number | undefined)
    await spread(
      queries,
      projectId,
      [...ranks.keys()].filter((id) => !order.moved.has(id)).map((id) => [id, rankOf(id) as number]),
    )
    for (const { id } of byGroup.get(group) as Move[]) found.set(id, rankOf(id) ?? (list.get(id) as number))
  }
  return found
}

async function spread({ sql }: Queries, projectId: number, ranks: readonly (readonly [number, number])[]) {
  if (ranks.length === 0) return
  await sql`
    update cards c set rank = fresh.rank, is_moved = true
    from unnest(${ranks.map(([id]) => id)}::bigint[], ${ranks.map(([, rank]) => rank)}::bigint[]) as fresh (id, rank)
    where c.project_id = ${projectId} and c.id = fresh.id`
}

async function readLists({ sql }: Queries, projectId: number, groups: number[]): Promise<Map<number, List>> {
  const rows = await sql<{ group_id: number; ids: number[]; ranks: number[] }[]>`
    select group_id, array_agg(id order by rank) as ids, array_agg(rank order by rank) as ranks from cards
    where project_id = ${projectId} and group_id = any(${groups}::bigint[]) and deleted_at is null group by group_id`
  const lists = new Map<number, List>(groups.map((id) => [id, new Map()]))
  for (const { group_id, ids, ranks } of rows)
    lists.set(group_id, new Map(ids.map((id, index) => [id, ranks[index] as number])))
  return lists
}

interface Order {
  ids: number[]
  /** The cards that are not where they were when their turn came. */
  moved: Set<number>
}

/** The cards of each group after all moves, which are made one after the other. */
export function ordersAfter(lists: ReadonlyMap<number, List>, moves: readonly Move[]): Map<number, Order> {
  const orders = new Map<number, Order>()
  for (const [group, list] of lists) orders.set(group, { ids: [...list.keys()], moved: new Set() })
  for (const { id, from, to, position } of moves) {
    const source = orders.get(from)?.ids
    const before = source?.indexOf(id)
    if (before !== undefined) source?.splice(before, 1)
    const goal = orders.get(to)
    if (!goal) continue
    const others = goal.ids.length
    const index = position === null || position > others ? others : Math.max(position, 1) - 1
    goal.ids.splice(index, 0, id)
    if (from !== to || index !== before) goal.moved.add(id)
  }
  return orders
}

/** The distance of neighbors in a list that was never changed. */
const usualGap = 2 ** 20

/** How many neighbors on each side of a place without room are moved first; twice as many each time that is not enough. */
const firstReach = 16

/** New ranks for the cards that moved, between the ranks of the others, and for the cards that make room for them. */
export function ranksIn({ ids, moved }: Order, list: List): Map<number, number | 'end'> {
  const loose = new Set(moved)
  for (let reach = firstReach; ; reach *= 2) {
    const runs = runsOf(ids, loose, list)
    // A card cannot take the rank of one that moves after it.
    const taken = new Set([...loose].flatMap((id) => list.get(id) ?? []))
    const tight = runs.filter(({ step }) => step < 2 * taken.size + 4)
    if (tight.length === 0) return ranksOfRuns(ids, runs, taken)
    for (const { first, end } of tight)
      for (const id of ids.slice(Math.max(first - reach, 0), end + reach)) loose.add(id)
  }
}

/** Cards side by side that get new ranks. */
interface Run {
  /** Their indexes, the second one after the last. */
  first: number
  end: number
  /** The rank before them, and the distance of their ranks; infinite at the end of the list. */
  start: number
  step: number
}

function runsOf(ids: readonly number[], loose: ReadonlySet<number>, list: List): Run[] {
  const runs: Run[] = []
  for (let first = 0; first < ids.length; first++) {
    if (!loose.has(ids[first] as number)) continue
    let end = first + 1
    while (end < ids.length && loose.has(ids[end] as number)) end++
    const count = end - first
    const high = end < ids.length ? (list.get(ids[end] as number) as number) : Number.POSITIVE_INFINITY
    const start = first > 0 ? (list.get(ids[first - 1] as number) as number) : high - usualGap * (count + 1)
    runs.push({ first, end, start, step: first > 0 ? Math.floor((high - start) / (count + 1)) : usualGap })
    first = end
  }
  return runs
}

function ranksOfRuns(ids: readonly number[], runs: readonly Run[], taken: ReadonlySet<number>) {
  const ranks = new Map<number, number | 'end'>()
  for (const { first, end, start, step } of runs)
    for (const [index, id] of ids.slice(first, end).entries())
      ranks.set(id, end === ids.length ? 'end' : free(odd(start + step * (index + 1)), taken))
  return ranks
}

/** The ends of lists are even. */
const odd = (rank: number) => (rank % 2 === 0 ? rank + 1 : rank)

function free(rank: number, taken: ReadonlySet<number>): number {
  let found = rank
  while (taken.has(found)) found += 2
  return found
}
