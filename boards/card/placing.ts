// Finds the ranks of cards that are moved together: each list is read once and spaced anew at most once, in whatever order they move.
import type { Queries } from '#database/connect.ts'

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
 * those of all others one by one. The project is locked.
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
    let list = lists.get(group) as List
    let ranks = ranksIn(order, list)
    if (!ranks) {
      await queries.run('select respace_cards($1, $2)', [projectId, group])
      list = (await readLists(queries, projectId, [group])).get(group) as List
      ranks = ranksIn(order, list) as Map<number, number | 'end'>
    }
    const atEnd = [...ranks].filter(([, rank]) => rank === 'end').map(([id]) => id)
    const ends = await listEnds(queries, atEnd.length)
    for (const { id } of byGroup.get(group) as Move[]) {
      const rank = ranks.get(id) ?? (list.get(id) as number)
      found.set(id, rank === 'end' ? (ends[atEnd.indexOf(id)] as number) : rank)
    }
  }
  return found
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

async function listEnds({ sql }: Queries, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await sql<
    { rank: number }[]
  >`select list_end() as rank from generate_series(1, ${count}::integer)`
  return rows.map(({ rank }) => rank)
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

/** New ranks for the cards that moved, between those of the others; undefined if there is no room somewhere. */
export function ranksIn({ ids, moved }: Order, list: List): Map<number, number | 'end'> | undefined {
  // A card cannot take the rank of one that moves after it.
  const taken = new Set([...moved].flatMap((id) => list.get(id) ?? []))
  const ranks = new Map<number, number | 'end'>()
  let run: number[] = []
  let low: number | undefined
  for (const id of ids) {
    if (moved.has(id)) {
      run.push(id)
      continue
    }
    const high = list.get(id) as number
    const start = low ?? high - usualGap * (run.length + 1)
    const step = Math.floor((high - start) / (run.length + 1))
    if (run.length > 0 && step < 2 * taken.size + 4) return undefined
    for (const [index, one] of run.entries()) ranks.set(one, free(odd(start + step * (index + 1)), taken))
    run = []
    low = high
  }
  for (const id of run) ranks.set(id, 'end')
  return ranks
}

/** The ends of lists are even. */
const odd = (rank: number) => (rank % 2 === 0 ? rank + 1 : rank)

const free = (rank: number, taken: ReadonlySet<number>): number =>
  taken.has(rank) ? free(rank + 2, taken) : rank
