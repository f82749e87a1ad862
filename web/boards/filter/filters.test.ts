import assert from 'node:assert/strict'
import test from 'node:test'
import type { Card, ListedCard } from '../types.ts'
import { filtersIn, isFiltering, matches, readFilters, withoutFilters } from './filters.ts'

const now = new Date(2026, 10, 16, 12).getTime()
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString()
const me = 7
const usual: ListedCard = {
  id: 1,
  group_id: 1,
  owner_id: null,
  tag_id: null,
  title: 'Water the plants',
  status: 'open',
  priority: 'normal',
  is_active: true,
  due_date: null,
  due_is_date: false,
  snoozed_until: null,
  created_at: hours(-1),
  updated_at: hours(-1),
  card_type: 'custom',
}
const comments = new Map([
  [2, { unread_count: 0 }],
  [3, { unread_count: 4 }],
])
const shows = (query: string, fields: Partial<Card> = {}) =>
  matches({ ...usual, ...fields }, readFilters(new URLSearchParams(query), me, comments), now)

test('filters of one kind are combined with "or", of different kinds with "and"', () => {
  assert.equal(shows('status=open&status=blocked'), true)
  assert.equal(shows('status=blocked'), false)
  assert.equal(shows('status=open&priority=urgent'), false)
  assert.equal(shows('status=open&priority=normal'), true)
})

test('a negated filter hides what it names, and wins', () => {
  assert.equal(shows('status=-open'), false)
  assert.equal(shows('status=-closed&status=-blocked'), true)
  assert.equal(shows('priority=normal&status=-open'), false)
  assert.equal(shows('owner=-none', { owner_id: 3 }), true)
  assert.equal(shows('tag=-5', { tag_id: 5 }), false)
})

test('“me” is the person who looks', () => {
  assert.equal(shows('owner=me', { owner_id: me }), true)
  assert.equal(shows('owner=me', { owner_id: 8 }), false)
  assert.equal(shows('owner=-me', { owner_id: me }), false)
})

test('due dates: overdue, today, within 7 days and none', () => {
  assert.equal(shows('due=overdue', { due_date: hours(-1) }), true)
  assert.equal(shows('due=today', { due_date: hours(-1) }), true)
  assert.equal(shows('due=today', { due_date: hours(-24) }), false)
  assert.equal(shows('due=week', { due_date: hours(1) }), true)
  assert.equal(shows('due=week', { due_date: hours(24 * 6) }), true)
  assert.equal(shows('due=week', { due_date: hours(24 * 9) }), false)
  assert.equal(shows('due=none'), true)
  assert.equal(shows('due=-overdue', { due_date: hours(-24), status: 'closed' }), true)
})

test('created today, in the last 7 and the last 30 days', () => {
  const at = (days: number) => ({ created_at: hours(-24 * days) })
  assert.deepEqual(
    [0, 1, 6, 7, 29, 30].map((days) =>
      ['today', 'week', 'month'].filter((name) => shows(`created=${name}`, at(days))),
    ),
    [['today', 'week', 'month'], ['week', 'month'], ['week', 'month'], ['month'], ['month'], []],
  )
})

test('every word is in a text of the card, also in its descriptions', () => {
  const card = {
    short_description: 'Twice a week',
    description: '<p>Not the <b>cac</b>tus</p><p>R&amp;D</p>',
    description_format: 'html',
  } as const
  assert.equal(shows('text=PLANTS+water'), true)
  assert.equal(shows('text=water+cactus'), false)
  assert.equal(shows('text=water+cactus', card), true)
  assert.equal(shows('text=week+r%26d', card), true)
  // Neither tags nor words that only tags separate.
  assert.equal(shows('text=amp', card), false)
  assert.equal(shows('text=cactusr', card), false)
  assert.equal(shows('text=<b>cac', { ...card, description_format: 'text' }), true)
  const found = { ...readFilters(new URLSearchParams('text=cactus'), me, comments), described: new Set([2]) }
  assert.deepEqual(
    [1, 2].filter((id) => matches({ ...usual, id }, found, now)),
    [2],
  )
})

test('cards with comments and with unread ones', () => {
  const shown = (query: string) => [1, 2, 3].filter((id) => shows(query, { id }))
  assert.deepEqual(shown('has=comments'), [2, 3])
  assert.deepEqual(shown('has=unread'), [3])
  assert.deepEqual(shown('has=-comments'), [1])
})

test('all words are in the title; snoozed and hidden cards are shown only on request', () => {
  assert.equal(shows('text=plants+WATER'), true)
  assert.equal(shows('text=plants+fire'), false)
  assert.equal(shows('', { snoozed_until: hours(1) }), false)
  assert.equal(shows('show=all', { is_active: false }), true)
})

test('the address keeps how cards are shown when filters are cleared', () => {
  const search = new URLSearchParams('view=table&owner=-5&show=all&text=x&sort=due&saved=3')
  assert.equal(String(withoutFilters(search)), 'view=table&sort=due&saved=3')
  assert.deepEqual(filtersIn(search), [
    { kind: 'owner', value: '5', isNegated: true },
    { kind: 'show', value: 'all', isNegated: false },
  ])
  const read = (query: string) => isFiltering(readFilters(new URLSearchParams(query), me, comments))
  assert.deepEqual([read('view=table&show=all'), read('text=x'), read('owner=-5')], [false, true, true])
})
