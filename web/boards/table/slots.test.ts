import assert from 'node:assert/strict'
import test from 'node:test'
import type { ListedCard } from '../types.ts'
import type { Row } from './rows.ts'
import { nextShown, type Shown } from './slots.ts'

const card = (id: number): Row<ListedCard> => ({ kind: 'card', card: { id } as ListedCard })
const heading = (value: string): Row<ListedCard> => ({ kind: 'heading', value, count: 1, card: card(0).card })
const all = Array.from({ length: 20 }, (_, id) => card(id))
const none: Shown = { rows: all, slots: [], nextKey: 0 }
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)
const seen = ({ slots }: Shown) => slots.map(({ key, shows }) => `${key}: ${shows}`)

test('while a table is scrolled, elements out of sight show what comes into sight, and no other one changes', () => {
  const before = nextShown(none, all, from(0, 3), false)
  assert.deepEqual(seen(before), ['0: 0', '1: 1', '2: 2', '3: 3'])
  const scrolled = nextShown(before, all, from(2, 5), true)
  assert.deepEqual(seen(scrolled), ['0: 4', '1: 5', '2: 2', '3: 3'])
  // At rest the document has the order of the rows.
  assert.deepEqual(seen(nextShown(scrolled, all, from(2, 5), false)), ['2: 2', '3: 3', '0: 4', '1: 5'])
})

test('the row with the focus keeps its element, however far the others are scrolled', () => {
  const before = nextShown(none, all, from(0, 2), false)
  assert.deepEqual(seen(nextShown(before, all, [1, 10, 11], true)), ['0: 10', '1: 1', '2: 11'])
})

test('more rows get new elements, fewer rows leave none behind', () => {
  const before = nextShown(none, all, from(0, 1), false)
  const more = nextShown(before, all, from(0, 3), true)
  assert.deepEqual(seen(more), ['0: 0', '1: 1', '2: 2', '3: 3'])
  const fewer = nextShown(more, all, from(2, 2), true)
  assert.deepEqual(seen(fewer), ['2: 2'])
  assert.deepEqual(seen(nextShown(fewer, all, from(2, 3), true)), ['2: 2', '4: 3'])
})

test('after a change of the cards each keeps its element, and that of a deleted card shows no other', () => {
  const before = nextShown(none, all, from(0, 3), false)
  const rows = all.filter((row) => row !== all[1])
  assert.deepEqual(seen(nextShown(before, rows, from(0, 3), false)), ['0: 0', '2: 2', '3: 3', '4: 4'])
})

test('the element of a heading never shows a card', () => {
  const rows = [heading('open'), card(1), card(2), heading('closed'), card(3)]
  const before = nextShown({ rows, slots: [], nextKey: 0 }, rows, from(0, 1), false)
  assert.deepEqual(seen(before), ['0: heading open', '1: 1'])
  assert.deepEqual(seen(nextShown(before, rows, from(2, 4), true)), ['1: 2', '2: heading closed', '3: 3'])
})
