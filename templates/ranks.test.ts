import assert from 'node:assert/strict'
import test from 'node:test'
import { effort } from '#tests/effort.ts'
import { fc } from '#tests/random.ts'
import { longestRising, type Ranked, ranksFor } from './ranks.ts'

/** Ranks that are close to each other, so that room is often short. */
const near = fc.integer({ min: -20, max: 40 })
/** The end of a list, as the database would give it. */
const end = 2 ** 20

/** A list of distinct ranks in any order, some entries without a rank, and ranks that were used before. */
const lists = fc
  .record({
    ranks: fc.uniqueArray(near, { maxLength: 10 }),
    without: fc.integer({ min: 0, max: 4 }),
    earlier: fc.uniqueArray(near),
  })
  .chain(({ ranks, without, earlier }) => {
    const entries = [...ranks, ...Array<undefined>(without).fill(undefined)].map((rank, index) => ({
      id: index + 1,
      rank,
    }))
    return fc.record({
      order: fc.shuffledSubarray(entries, { minLength: entries.length }),
      used: fc.constant(new Set([...ranks, ...earlier])),
    })
  })

const applied = (order: readonly Ranked[], ranks: ReadonlyMap<number, number>) =>
  order.map(({ id, rank }) => ranks.get(id) ?? rank)

const isRising = (ranks: readonly (number | undefined)[]) =>
  ranks.every((rank, index) => rank !== undefined && (index === 0 || rank > (ranks[index - 1] as number)))

test('with the new ranks the list has the given order', () => {
  fc.assert(
    fc.property(lists, ({ order, used }) => {
      const ranks = ranksFor(order, used, end)
      fc.pre(ranks !== undefined)
      assert.ok(isRising(applied(order, ranks)), `${applied(order, ranks)}`)
    }),
    { numRuns: 1000 * effort },
  )
})

test('every new rank is 2 modulo 4, was never given before, and is below the end of the list', () => {
  fc.assert(
    fc.property(lists, ({ order, used }) => {
      const given = [...(ranksFor(order, used, end)?.values() ?? [])]
      for (const rank of given) {
        assert.equal(((rank % 4) + 4) % 4, 2)
        assert.ok(!used.has(rank), `${rank} is used`)
        assert.ok(rank < end)
      }
      assert.equal(new Set(given).size, given.length)
    }),
    { numRuns: 1000 * effort },
  )
})

/** How many entries can keep their rank: the longest rising sequence, found by brute force. */
function mostKept(order: readonly Ranked[]): number {
  const ranks = order.flatMap(({ rank }) => (rank === undefined ? [] : [rank]))
  let most = 0
  for (let chosen = 0; chosen < 2 ** ranks.length; chosen++) {
    const kept = ranks.filter((_, index) => (chosen >> index) % 2 === 1)
    if (kept.length > most && isRising(kept)) most = kept.length
  }
  return most
}

test('as many entries as possible keep their ranks', () => {
  fc.assert(
    fc.property(lists, ({ order, used }) => {
      const ranks = ranksFor(order, used, end)
      fc.pre(ranks !== undefined)
      assert.equal(order.length - ranks.size, mostKept(order))
    }),
  )
})

/** The indexes of a longest rising sequence, for which each entry looks at all before it. */
function longestRisingSlowly(order: readonly Ranked[]): Set<number> {
  const ends: number[] = []
  const before: (number | undefined)[] = []
  order.forEach(({ rank }, place) => {
    if (rank === undefined) return
    const found = ends.findIndex((end) => (order[end]?.rank as number) >= rank)
    const length = found === -1 ? ends.length : found
    before[place] = ends[length - 1]
    ends[length] = place
  })
  const places = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) places.add(place)
  return places
}

test('the longest rising sequence is the one that a slow search finds, also where ranks are equal', () => {
  const ranks = fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), near, fc.constant(undefined)), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(ranks, (given) => {
      const order = given.map((rank, id) => ({ id, rank }))
      assert.deepEqual(longestRising(order), longestRisingSlowly(order))
    }),
    { numRuns: 1000 * effort },
  )
})

test('a list of 10,000 entries is looked at about 15 times for each, in whatever order it is', () => {
  const count = 10_000
  const orders = {
    rising: (place: number) => place,
    falling: (place: number) => -place,
    mixed: (place: number) => (place * 7919) % count,
  }
  for (const [name, rankAt] of Object.entries(orders)) {
    let looks = 0
    const order = Array.from({ length: count }, (_, id) => ({
      id,
      get rank() {
        looks++
        return rankAt(id)
      },
    }))
    longestRising(order)
    assert.ok(looks < 20 * count, `${name}: ${looks} looks`)
  }
})

test('a list in its order gets nothing new', () => {
  fc.assert(
    fc.property(fc.uniqueArray(near), (ranks) => {
      const order = ranks.toSorted((a, b) => a - b).map((rank, index) => ({ id: index + 1, rank }))
      assert.deepEqual(ranksFor(order, new Set(ranks), end), new Map())
    }),
  )
})

test('entries that are moved and moved back, one after the other, get their ranks back', () => {
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.uniqueArray(near, { minLength: 2, maxLength: 10 }), moves, (ranks, tried) => {
      const original = ranks.toSorted((a, b) => a - b).map((rank, index) => ({ id: index + 1, rank }))
      let list: Ranked[] = original
      const earlier = new Map(original.map(({ id, rank }) => [id, [rank]]))
      const move = (from: number, to: number) => {
        const { id } = list[from] as Ranked
        const order = list.toSpliced(from, 1).toSpliced(to, 0, { id, rank: undefined })
        const given = ranksFor(order, new Set([...earlier.values()].flat()), end, earlier)
        // Without room all get new ranks, which the database gives.
        fc.pre(given !== undefined)
        list = order.map((entry) => ({ ...entry, rank: given.get(entry.id) ?? entry.rank }))
        assert.ok(isRising(list.map(({ rank }) => rank)))
        for (const [moved, rank] of given) earlier.get(moved)?.push(rank)
      }
      const done = tried.map(([from, to]) => [from % ranks.length, to % ranks.length] as const)
      for (const [from, to] of done) move(from, to)
      for (const [from, to] of done.toReversed()) move(to, from)
      assert.deepEqual(list, original)
    }),
    { numRuns: 500 * effort },
  )
})

/** The free ranks between two others. */
const freeBetween = (low: number, high: number, used: ReadonlySet<number>) =>
  Array.from({ length: high - low - 1 }, (_, index) => low + 1 + index).filter(
    (rank) => ((rank % 4) + 4) % 4 === 2 && !used.has(rank),
  )

test('there is no room only where fewer ranks are free than entries come between two that stay', () => {
  const between = fc.record({
    low: near,
    width: fc.integer({ min: 1, max: 40 }),
    count: fc.integer({ min: 1, max: 5 }),
    earlier: fc.uniqueArray(near, { maxLength: 40 }),
  })
  fc.assert(
    fc.property(between, ({ low, width, count, earlier }) => {
      const high = low + width
      const used = new Set([low, high, ...earlier])
      const added = Array.from({ length: count }, (_, index) => ({ id: index + 3, rank: undefined }))
      const ranks = ranksFor([{ id: 1, rank: low }, ...added, { id: 2, rank: high }], used, end)
      assert.equal(ranks !== undefined, freeBetween(low, high, used).length >= count)
    }),
    { numRuns: 2000 * effort },
  )
})

test('at either end there is always room', () => {
  fc.assert(
    fc.property(near, fc.integer({ min: 1, max: 5 }), fc.uniqueArray(near), (rank, count, earlier) => {
      const used = new Set([rank, ...earlier])
      const added = Array.from({ length: count }, (_, index) => ({ id: index + 2, rank: undefined }))
      assert.equal(ranksFor([{ id: 1, rank }, ...added], used, end)?.size, count)
      assert.equal(ranksFor([...added, { id: 1, rank }], used, end)?.size, count)
      assert.equal(ranksFor(added, used, end)?.size, count)
    }),
  )
})

test('ranks written out', () => {
  const ranks = (...given: [id: number, rank: number | undefined][]) =>
    ranksFor(
      given.map(([id, rank]) => ({ id, rank })),
      new Set(given.flatMap(([, rank]) => rank ?? [])),
      end,
    )
  assert.deepEqual(ranks(), new Map())
  assert.deepEqual(ranks([1, 0], [2, undefined], [3, 16]), new Map([[2, 6]]))
  assert.deepEqual(ranks([1, 0], [2, undefined], [3, 2]), undefined)
  assert.deepEqual(ranks([1, 0], [2, 100], [3, 16]), new Map([[2, 6]]))
})
