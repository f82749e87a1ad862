import assert from 'node:assert/strict'
import test from 'node:test'
import { median, startOfWeek, weekOf } from './measures.ts'

test('weeks begin on Mondays in UTC', () => {
  const monday = Date.UTC(2026, 10, 16)
  assert.equal(startOfWeek(weekOf(monday)), '2026-11-16')
  assert.equal(weekOf(monday - 1), weekOf(monday) - 1)
  assert.equal(weekOf(monday + 7 * 86_400_000 - 1), weekOf(monday))
})

test('the median is the day at which half is done, and null if nothing is', () => {
  assert.equal(median([]), null)
  assert.equal(median([{ days: 3, count: 0 }]), null)
  assert.equal(median([{ days: 9, count: 1 }]), 9)
  assert.equal(
    median([
      { days: 20, count: 1 },
      { days: 1, count: 2 },
      { days: 4, count: 1 },
    ]),
    1,
  )
  assert.equal(
    median([
      { days: 20, count: 2 },
      { days: 1, count: 1 },
    ]),
    20,
  )
})
