import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '#tests/random.ts'
import { arranged, placeIn } from './ordering.ts'

/** A list and wanted positions for some entries, often equal and often outside of the list. */
const orders = fc
  .uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 })
  .chain((list) =>
    fc.record({
      list: fc.constant(list),
      wanted: fc
        .shuffledSubarray(list)
        .chain((ids) =>
          fc.tuple(
            ...ids.map((id) =>
              fc.record({ id: fc.constant(id), position: fc.integer({ min: -3, max: 16 }) }),
            ),
          ),
        ),
    }),
  )

/** The positions of some entries, counted from 1. */
const placesOf = (order: readonly number[], ids: readonly number[]) => ids.map((id) => order.indexOf(id) + 1)

test('an arranged list has the same entries, each once', () => {
  fc.assert(
    fc.property(orders, ({ list, wanted }) => {
      assert.deepEqual(arranged(list, wanted).toSorted(), list.toSorted())
    }),
  )
})

test('the entries that are not named keep their order', () => {
  fc.assert(
    fc.property(orders, ({ list, wanted }) => {
      const named = new Set(wanted.map(({ id }) => id))
      const others = (ids: readonly number[]) => ids.filter((id) => !named.has(id))
      assert.deepEqual(others(arranged(list, wanted)), others(list))
    }),
  )
})

test('the named entries are in ascending positions, ties as listed', () => {
  fc.assert(
    fc.property(orders, ({ list, wanted }) => {
      const ascending = wanted.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
      const places = placesOf(arranged(list, wanted), ascending)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
    }),
  )
})

test('each named entry gets the position it names unless another one takes it', () => {
  fc.assert(
    fc.property(orders, ({ list, wanted }) => {
      const ascending = wanted.toSorted((a, b) => a.position - b.position)
      const order = arranged(list, wanted)
      const places = placesOf(
        order,
        ascending.map(({ id }) => id),
      )
      ascending.forEach(({ position }, index) => {
        const place = places[index] as number
        const isPushedDown = place === (places[index - 1] ?? 0) + 1
        const isPushedUp = place === (places[index + 1] ?? list.length + 1) - 1
        assert.ok(
          place === position || (place > position && isPushedDown) || (place < position && isPushedUp),
          `${position} became ${place} of ${JSON.stringify(wanted)} in ${list}`,
        )
      })
    }),
  )
})

test('an arranged list stays as it is', () => {
  fc.assert(
    fc.property(orders, ({ list, wanted }) => {
      const order = arranged(list, wanted)
      assert.deepEqual(
        arranged(
          order,
          wanted.map(({ id }) => ({ id, position: order.indexOf(id) + 1 })),
        ),
        order,
      )
    }),
  )
})

test('examples of orders', () => {
  const cases: [wanted: [id: number, position: number][], order: number[]][] = [
    [[], [1, 2, 3, 4]],
    [[[4, 1]], [4, 1, 2, 3]],
    [[[1, 3]], [2, 3, 1, 4]],
    [[[1, 99]], [2, 3, 4, 1]],
    [[[4, -7]], [4, 1, 2, 3]],
    [
      [
        [2, 1],
        [1, 2],
      ],
      [2, 1, 3, 4],
    ],
    [
      [
        [3, 1],
        [1, 1],
      ],
      [3, 1, 2, 4],
    ],
    [
      [
        [2, 4],
        [1, 4],
      ],
      [3, 4, 2, 1],
    ],
    [
      [
        [1, 99],
        [2, 98],
      ],
      [3, 4, 2, 1],
    ],
    [
      [
        [4, 2],
        [1, 2],
      ],
      [2, 4, 1, 3],
    ],
    [
      [
        [1, 4],
        [2, 3],
        [3, 2],
        [4, 1],
      ],
      [4, 3, 2, 1],
    ],
    [
      [
        [1, Number.MAX_SAFE_INTEGER],
        [4, Number.MIN_SAFE_INTEGER],
      ],
      [4, 2, 3, 1],
    ],
  ]
  for (const [wanted, order] of cases)
    assert.deepEqual(
      arranged(
        [1, 2, 3, 4],
        wanted.map(([id, position]) => ({ id, position })),
      ),
      order,
      JSON.stringify(wanted),
    )
})

test('a position is clamped to the list, and an absent one stays absent', () => {
  const places = [undefined, null, -5, 0, 1, 2, 3, 4, Number.MAX_SAFE_INTEGER]
  assert.deepEqual(
    places.map((position) => placeIn([7, 8, 9], position)),
    [undefined, undefined, 1, 1, 1, 2, 3, 3, 3],
  )
})
