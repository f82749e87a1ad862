/** Without a rank: it is to get one. */
export interface Ranked {
  id: number
  rank: number | undefined
}

/** As far apart as the ends of lists are in the database. */
const gap = 2 ** 20

/**
 * New ranks for what has to move so that the list has the given order; all others keep theirs. Masters' ranks are ranks of the
 * copies too, among cards of the projects' own, so that two rules hold: they are 2 modulo 4, where the end of a list is a
 * multiple of 2^20 and a project's own moves are odd; and none is given twice (`used`), also after its card went elsewhere,
 * since a project may not know that yet. All stay below `end`, the newest end of a list, so that what is appended later
 * comes after them. Undefined where there is no room left.
 */
export function ranksFor(
  order: readonly Ranked[],
  used: ReadonlySet<number>,
  end: number,
): Map<number, number> | undefined {
  const kept = longestRising(order)
  const ranks = new Map<number, number>()
  for (let start = 0; start < order.length; start++) {
    if (kept.has(start)) continue
    let next = start
    while (next < order.length && !kept.has(next)) next++
    const found = between(order[start - 1]?.rank, order[next]?.rank ?? end, next - start, used)
    if (!found) return undefined
    for (const [index, rank] of found.entries()) ranks.set((order[start + index] as Ranked).id, rank)
    start = next - 1
  }
  return ranks
}

/** So many ranks between two others, or before one: evenly, or where that leaves too little room, one by one. */
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

/** The places of a longest sequence whose ranks rise already. */
function longestRising(order: readonly Ranked[]): Set<number> {
  const rankAt = (place: number) => order[place]?.rank as number
  /** The last place of the best sequence of each length, and the place before each. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  order.forEach(({ rank }, place) => {
    if (rank === undefined) return
    let length = ends.findIndex((end) => rankAt(end) >= rank)
    if (length === -1) length = ends.length
    before[place] = ends[length - 1]
    ends[length] = place
  })
  const places = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) places.add(place)
  return places
}
