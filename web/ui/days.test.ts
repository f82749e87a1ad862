import assert from 'node:assert/strict'
import test from 'node:test'
import { asDue, dueBucketOf } from '#boards/card/due.ts'
import { fc } from '#tests/random.ts'
import { midnight } from './days.ts'

/** Zones whose clocks change by an hour, by half an hour, at midnight itself, and never. */
const zones = ['America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kolkata', 'UTC']
/** The day of the calendar as a number that counts days. */
const dayNumber = (time: number) => {
  const date = new Date(time)
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000
}

const hour = 3_600_000

/** Any moment of 20 years, as often as not of a day that is longer or shorter than others. */
function moments() {
  const [first, last] = [Date.UTC(2020, 0), Date.UTC(2040, 0)]
  const odd: number[] = []
  for (let day = first; day < last; day += 24 * hour)
    if (new Date(day).getTimezoneOffset() !== new Date(day + 24 * hour).getTimezoneOffset()) odd.push(day)
  const any = fc.integer({ min: first, max: last })
  if (odd.length === 0) return any
  const around = fc.integer({ min: -24 * hour, max: 48 * hour })
  return fc.oneof(
    any,
    fc.tuple(fc.constantFrom(...odd), around).map(([day, more]) => day + more),
  )
}

for (const zone of zones)
  test(`in ${zone} a day begins at its first moment, and cards are listed by days of the calendar`, () => {
    process.env['TZ'] = zone
    const aheads = fc.oneof(fc.integer({ min: 0, max: 48 * hour }), fc.integer({ min: 0, max: 480 * hour }))
    fc.assert(
      fc.property(moments(), fc.integer({ min: -400, max: 400 }), (now, days) => {
        const begin = midnight(days, now)
        assert.equal(dayNumber(begin), dayNumber(now) + days)
        assert.equal(dayNumber(begin - 1), dayNumber(now) + days - 1)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(moments(), fc.integer({ min: -40, max: 40 }), (now, days) => {
        const due_date = new Date((dayNumber(now) + days) * 24 * hour).toISOString()
        const card = { ...asDue({ due_date, due_is_date: true }), status: 'open' }
        // The last millisecond of a day is its end.
        const hasEnded = now >= midnight(days + 1, now) - 1
        const expected = hasEnded ? 'overdue' : days === 0 ? 'today' : days <= 7 ? 'week' : 'later'
        assert.equal(dueBucketOf(card, now, midnight), expected)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(moments(), aheads, (now, ahead) => {
        const due = now + 1 + ahead
        const days = dayNumber(due) - dayNumber(now)
        const expected = days === 0 ? 'today' : days <= 7 ? 'week' : 'later'
        const card = { due_date: new Date(due).toISOString(), status: 'open' }
        assert.equal(dueBucketOf(card, now, midnight), expected)
        assert.equal(dueBucketOf(card, due, midnight), 'overdue')
        assert.equal(dueBucketOf({ ...card, status: 'closed' }, now, midnight), expected)
      }),
      { numRuns: 2000 },
    )
  })
