import assert from 'node:assert/strict'
import test from 'node:test'
import type { ListedCard } from '../types.ts'
import { type Names, rowsOf, sorted } from './rows.ts'

const usual: ListedCard = {
  id: 0,
  group_id: 1,
  owner_id: null,
  tag_id: null,
  title: '',
  status: 'open',
  priority: 'normal',
  is_active: true,
  due_date: null,
  due_is_date: false,
  snoozed_until: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  card_type: 'custom',
}
const names: Names = {
  boards: new Map<number, string>(),
  groups: new Map([
    [2, 'To do'],
    [1, 'Done'],
  ]),
  tags: new Map([[5, 'Legal']]),
  members: new Map([
    [7, 'Zoe'],
    [8, 'Ada'],
  ]),
  statuses: ['open', 'in_progress', 'closed'],
  compare: new Intl.Collator('en', { numeric: true }).compare,
}
const cards = (...all: Partial<ListedCard>[]) =>
  all.map((fields, index) => ({ ...usual, id: index + 1, ...fields }))
const ids = (all: readonly ListedCard[]) => all.map(({ id }) => id)

test('titles are sorted as people count, in both directions', () => {
  const all = cards({ title: 'Step 10' }, { title: 'step 2' }, { title: 'Another' })
  assert.deepEqual(ids(sorted(all, { by: 'title', isDescending: false }, names)), [3, 2, 1])
  assert.deepEqual(ids(sorted(all, { by: 'title', isDescending: true }, names)), [1, 2, 3])
})

test('cards without a value are last in both directions, and equal ones keep their order', () => {
  const all = cards(
    {},
    { due_date: '2026-05-02T00:00:00.000Z' },
    {},
    { due_date: '2026-05-01T00:00:00.000Z' },
  )
  assert.deepEqual(ids(sorted(all, { by: 'due', isDescending: false }, names)), [4, 2, 1, 3])
  assert.deepEqual(ids(sorted(all, { by: 'due', isDescending: true }, names)), [2, 4, 1, 3])
})

test('status, priority and group are sorted by their order, people by name', () => {
  const all = cards(
    { status: 'closed', priority: 'urgent', group_id: 1, owner_id: 7 },
    { status: 'open', priority: 'low', group_id: 2, owner_id: 8 },
    { status: 'waiting', priority: 'high', group_id: 9, owner_id: 99 },
  )
  const by = (column: 'status' | 'priority' | 'group' | 'owner') =>
    ids(sorted(all, { by: column, isDescending: false }, names))
  assert.deepEqual(by('status'), [2, 1, 3])
  assert.deepEqual(by('priority'), [2, 3, 1])
  assert.deepEqual(by('group'), [2, 1, 3])
  assert.deepEqual(by('owner'), [2, 1, 3])
})

test('groups have headings in the order of their values, with counts', () => {
  const all = cards({ priority: 'low' }, { priority: 'urgent' }, { priority: 'low' })
  assert.deepEqual(
    rowsOf(all, 'priority', names).map((row) => (row.kind === 'card' ? row.card.id : [row.value, row.count])),
    [['urgent', 1], 2, ['low', 2], 1, 3],
  )
  const tagged = cards({}, { tag_id: 5 })
  assert.deepEqual(
    rowsOf(tagged, 'tag', names).map((row) => (row.kind === 'card' ? row.card.id : [row.value, row.count])),
    [[5, 1], 2, [null, 1], 1],
  )
  assert.deepEqual(
    rowsOf(all, undefined, names).map(({ kind }) => kind),
    ['card', 'card', 'card'],
  )
})
