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

test('new ranks give the wanted order, leave the others, and are free while cards move', () => {
  const gap = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1000, max: 2 ** 20 }))
  const lists = fc.array(gap, { maxLength: 12 }).map(listOf)
  const moves = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 20 }), position: fc.option(fc.integer({ min: -1, max: 15 })) }),
    { maxLength: 12, selector: ({ id }) => id },
  )
  fc.assert(
    fc.property(lists, moves, (list, wanted) => {
      const made = wanted.map(({ id, position }) => move(id, list.has(id) ? 7 : 8, 7, position))
      const order = ordersAfter(new Map([[7, list]]), made).get(7) ?? assert.fail()
      const ranks = ranksIn(order, list)
      if (!ranks) return [...list.values()].some((rank, index, all) => rank - (all[index - 1] ?? rank) < 1000)
      assert.deepEqual(new Set(ranks.keys()), order.moved)
      const end = Number.MAX_SAFE_INTEGER
      const now = new Map(list)
      for (const { id } of made) {
        const rank = ranks.get(id)
        if (rank === undefined) continue
        assert.ok(rank === 'end' || ![...now.values()].includes(rank), `${rank} is taken`)
        now.set(id, rank === 'end' ? end - order.ids.length + order.ids.indexOf(id) : rank)
      }
      const sorted = [...now].sort(([, a], [, b]) => a - b).map(([id]) => id)
      assert.deepEqual(sorted, order.ids)
      return true
    }),
  )
})
