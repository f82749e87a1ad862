import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '#tests/random.ts'
import { ordersAfter, ranksIn } from './placing.ts'

const move = (id: number, from: number, to: number, position: number | null) => ({ id, from, to, position })

/** Cards 1, 2, 3 … at these distances. */
function listOf(gaps: readonly number[]): Map<number, number> {
  let rank = -1000
  const list = new Map<number, number>()
  for (const [index, gap] of gaps.entries()) {
    rank += gap
    list.set(index + 1, rank)
  }
  return list
}

test('moves are made one after the other, in their own group and from or to others', () => {
  const list = listOf([10, 10, 10, 10, 10])
  const orderAfter = (...moves: ReturnType<typeof move>[]) => {
    const { ids, moved } = ordersAfter(new Map([[7, list]]), moves).get(7) ?? assert.fail()
    return [ids, [...moved]]
  }
  assert.deepEqual(orderAfter(move(1, 7, 7, 3), move(5, 7, 7, 1)), [
    [5, 2, 3, 1, 4],
    [1, 5],
  ])
  assert.deepEqual(orderAfter(move(2, 7, 7, null), move(9, 8, 7, 99), move(10, 8, 7, -3)), [
    [10, 1, 3, 4, 5, 2, 9],
    [2, 9, 10],
  ])
  assert.deepEqual(orderAfter(move(3, 7, 8, 1), move(2, 7, 7, 2), move(4, 7, 7, 2)), [[1, 4, 2, 5], [4]])
})

test('new ranks give the wanted order and are free while cards move; others keep theirs if there is room', () => {
  const narrow = fc.integer({ min: 1, max: 60 })
  const wide = fc.integer({ min: 2000, max: 2 ** 20 })
  const lists = fc.oneof(
    fc.array(wide, { maxLength: 12 }),
    fc.array(fc.oneof(narrow, wide), { maxLength: 12 }),
    fc.array(narrow, { minLength: 60, maxLength: 90 }),
  )
  const moves = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 99 }), position: fc.option(fc.integer({ min: -1, max: 99 })) }),
    { maxLength: 12, selector: ({ id }) => id },
  )
  fc.assert(
    fc.property(lists, moves, (gaps, wanted) => {
      const list = listOf(gaps)
      const made = wanted.map(({ id, position }) => move(id, list.has(id) ? 7 : 8, 7, position))
      const order = ordersAfter(new Map([[7, list]]), made).get(7) ?? assert.fail()
      const ranks = ranksIn(order, list)
      const spread = [...ranks.keys()].filter((id) => !order.moved.has(id))
      assert.ok(spread.length === 0 || gaps.some((gap) => gap < 2000))
      assert.deepEqual(
        [...order.moved].filter((id) => !ranks.has(id)),
        [],
      )
      const now = new Map(list)
      const ends = order.ids.filter((id) => ranks.get(id) === 'end')
      const place = (id: number) => {
        const rank = ranks.get(id)
        if (rank === undefined) return
        const given = rank === 'end' ? Number.MAX_SAFE_INTEGER - ends.length + ends.indexOf(id) : rank
        assert.ok(![...now.values()].includes(given), `${given} is taken`)
        now.set(id, given)
      }
      for (const id of spread) place(id)
      // One that is there already may have been spread with the others.
      for (const { id } of made) if (order.moved.has(id)) place(id)
      const sorted = [...now].sort(([, a], [, b]) => a - b).map(([id]) => id)
      assert.deepEqual(sorted, order.ids)
    }),
  )
})

test('a place without room is widened by its neighbors, and by no more than are needed', () => {
  const list = listOf([...Array(200).fill(2 ** 20), 2, ...Array(200).fill(2 ** 20)])
  const ids = [...list.keys()].toSpliced(200, 0, 1000)
  const ranks = ranksIn({ ids, moved: new Set([1000]) }, list)
  assert.deepEqual([...ranks.keys()], ids.slice(184, 217))
})
