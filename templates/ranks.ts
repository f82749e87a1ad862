/** An entry without a rank gets one. */
export interface Ranked {
  id: number
  rank: number | undefined
}

/** The same distance as between the ends of lists in the database. */
const gap = 2 ** 20

/** The ranks that entries had before, that of the newest version first. */
export type EarlierRanks = ReadonlyMap<number, readonly number[]>

/**
 * Finds ranks for the entries that have to move to get the given order; all others keep theirs. Undefined if there is no room.
 * A master's rank is also the rank of its copies, among the projects' own cards, so three rules hold. Ranks of masters are 2 modulo
 * 4, while list ends are multiples of 2^20 and a project's own moves are odd. No rank is given to another entry (`used`), even after
 * its card moved, since a project may not have received that yet. An entry that is back where it was gets its rank back, so that no
 * project sees a move. All ranks stay below `end`, so that appended cards come after them.
 */
export function ranksFor(
  order: readonly Ranked[],
  used: ReadonlySet<number>,
  end: number,
  earlier: EarlierRanks = new Map(),
): Map<number, number> | undefined {
  const published = order.map(({ id, rank }) => ({ id, rank: earlier.get(id)?.[0] ?? rank }))
  const [now, before] = [order, published].map((list) => placed(list, earlier, end)) as [Ranked[], Ranked[]]
  const known = countMoves(before) < countMoves(now) ? before : now
  const ranks = new Map<number, number>()
  for (let start = 0; start < known.length; start++) {
    const { id, rank } = known[start] as Ranked
    if (rank !== undefined) {
      if (rank !== order[start]?.rank) ranks.set(id, rank)
      continue
    }
    let next = start
    while (next < known.length && known[next]?.rank === undefined) next++
    const found = between(known[start - 1]?.rank, known[next]?.rank ?? end, next - start, used)
    if (!found) return undefined
    for (const [index, given] of found.entries()) ranks.set((known[start + index] as Ranked).id, given)
    start = next - 1
  }
  return ranks

  /** How many entries projects would see moved. */
  function countMoves(list: readonly Ranked[]) {
    return list.filter(({ rank }, place) => rank === undefined || rank !== published[place]?.rank).length
  }
}

/** The list with ranks that rise: as many as possible are kept, others are back at an earlier one that fits, and the rest has none. */
function placed(list: readonly Ranked[], earlier: EarlierRanks, end: number): Ranked[] {
  const kept = longestRising(list)
  /** The ranks that are kept and not yet passed, the next one last. */
  const ahead = list.flatMap(({ rank }, place) => (kept.has(place) ? [rank as number] : [])).reverse()
  let low = -Infinity
  return list.map(({ id, rank }, place) => {
    if (kept.has(place)) ahead.pop()
    const high = ahead.at(-1) ?? end
    const fitting = kept.has(place) ? rank : earlier.get(id)?.find((other) => low < other && other < high)
    low = fitting ?? low
    return { id, rank: fitting }
  })
}

/** Finds `count` ranks between two others or before one: evenly spaced, or one by one if room is short. */
function between(
  low: number | undefined,
  high: number,
  count: number,
  used: ReadonlySet<number>,
): number[] | undefined {
  const from = low ?? high - gap * (count + 1)
  const bounds = { from, high, count }
  return spread(bounds, (high - from) / (count + 1), used) ?? spread(bounds, 0, used)
}

function spread(
  { from, high, count }: { from: number; high: number; count: number },
  step: number,
  used: ReadonlySet<number>,
): number[] | undefined {
  const ranks: number[] = []
  for (let index = 1; index <= count; index++) {
    const least = Math.max(from + step * (index - 0.5), (ranks.at(-1) ?? from) + 1)
    let rank = Math.ceil((least - 2) / 4) * 4 + 2
    while (used.has(rank)) rank += 4
    if (rank >= high) return undefined
    ranks.push(rank)
  }
  return ranks
}

/** The indexes of a longest sequence whose ranks already rise. */
export function longestRising(order: readonly Ranked[]): Set<number> {
  const rankAt = (place: number) => order[place]?.rank as number
  /** The last index of the best sequence of each length, and the index before each. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  order.forEach(({ rank }, place) => {
    if (rank === undefined) return
    // The ranks at `ends` rise: the first that is not below this one is found by halves.
    let length = 0
    for (let above = ends.length; length < above; ) {
      const middle = (length + above) >> 1
      if (rankAt(ends[middle] as number) < rank) length = middle + 1
      else above = middle
    }
    before[place] = ends[length - 1]
    ends[length] = place
  })
  const places = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) places.add(place)
  return places
}
