import assert from 'node:assert/strict'
import test from 'node:test'
import type { ListedCard } from '../types.ts'
import { byDay, daysOf, stepped } from './days.ts'

test('a month is shown in whole weeks, from Monday or from Sunday', () => {
  const november = daysOf('2026-11-16', 'month', 1)
  assert.deepEqual([november[0], november.at(-1), november.length], ['2026-10-26', '2026-12-06', 42])
  const fromSunday = daysOf('2026-11-16', 'month', 0)
  assert.deepEqual([fromSunday[0], fromSunday.at(-1), fromSunday.length], ['2026-11-01', '2026-12-05', 35])
  assert.equal(daysOf('2027-02-28', 'month', 1).length, 28)
})

test('a week has the day in it', () => {
  assert.deepEqual(daysOf('2026-11-16', 'week', 1).at(0), '2026-11-16')
  assert.deepEqual(daysOf('2026-11-15', 'week', 1), [
    '2026-11-09',
    '2026-11-10',
    '2026-11-11',
    '2026-11-12',
    '2026-11-13',
    '2026-11-14',
    '2026-11-15',
  ])
})

test('a step leads to the next week or month, also over the end of a year', () => {
  assert.equal(stepped('2026-12-31', 'month', 1), '2027-01-01')
  assert.equal(stepped('2026-03-31', 'month', -1), '2026-02-01')
  assert.equal(stepped('2026-12-31', 'week', 1), '2027-01-07')
})

test('cards are on the day on which they are due here, those without a time first', () => {
  const card = (id: number, due_date: string | null, due_is_date = false) =>
    ({ id, due_date, due_is_date }) as ListedCard
  const noon = new Date(2026, 10, 16, 12).toISOString()
  const morning = new Date(2026, 10, 16, 8).toISOString()
  const held = byDay(
    [
      card(1, noon),
      card(2, morning),
      card(3, '2026-11-16T23:59:59.999Z', true),
      card(4, null),
      card(5, '2020-01-01T00:00:00Z'),
    ],
    daysOf('2026-11-16', 'week', 1),
  )
  assert.deepEqual(
    held.get('2026-11-16')?.map(({ id }) => id),
    [3, 2, 1],
  )
  assert.equal([...held.values()].flat().length, 3)
})
