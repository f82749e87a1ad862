import assert from 'node:assert/strict'
import test from 'node:test'
import { effort } from '#tests/effort.ts'
import { fc } from '#tests/random.ts'
import { readTimestamp } from './timestamp.ts'

test('every common date format becomes UTC with milliseconds', () => {
  const cases: [string, string][] = [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T08:30', '2026-01-31T08:30:00.000Z'],
    ['2026-01-31T08:30:15', '2026-01-31T08:30:15.000Z'],
    ['2026-01-31 08:30:15', '2026-01-31T08:30:15.000Z'],
    ['2026-01-31T08:30:15Z', '2026-01-31T08:30:15.000Z'],
    ['2026-01-31t08:30:15z', '2026-01-31T08:30:15.000Z'],
    ['2026-01-31T08:30:15.5Z', '2026-01-31T08:30:15.500Z'],
    ['2026-01-31T08:30:15,25', '2026-01-31T08:30:15.250Z'],
    ['2026-01-31T08:30:15.123456789Z', '2026-01-31T08:30:15.123Z'],
    ['2026-01-31T08:30:15+02:00', '2026-01-31T06:30:15.000Z'],
    ['2026-01-31 08:30:15-0530', '2026-01-31T14:00:15.000Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000Z'],
    ['2026-01-31T08:30:15-00:00', '2026-01-31T08:30:15.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [given, expected] of cases) assert.equal(readTimestamp(given), expected, given)
})

test('the offset is kept if it is asked for', () => {
  const cases: [string, string][] = [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31 23:30-0530', '2026-01-31T23:30:00.000-05:30'],
    ['2026-01-31T08:30:15.5+02:00', '2026-01-31T08:30:15.500+02:00'],
  ]
  for (const [given, expected] of cases)
    assert.equal(readTimestamp(given, { keepsOffset: true }), expected, given)
  assert.equal(readTimestamp('2026-02-30', { keepsOffset: true }), undefined)
})

test('a date that does not exist, or text that is not a date, is undefined', () => {
  const cases: unknown[] = [
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-04-31',
    '2026-01-00',
    '2026-01-31T24:00:00',
    '2026-01-31T08:60:00',
    '2026-01-31T08:30:60',
    '2026-01-31T08:30:00+24:00',
    '2026-01-31T08:30:00+01:60',
    '0000-01-01',
    '0000-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01',
    '+002026-01-31',
    '-2026-01-31',
    '2026-1-31',
    '2026-01-31T',
    '2026-01-31T8:30',
    '2026-01-31T08:30:15 Z',
    '2026-01-31\n',
    '31.01.2026',
    'tomorrow',
    'Infinity',
    '1769846400',
    '',
    1769846400,
    null,
    undefined,
    {},
    ['2026-01-31'],
  ]
  for (const given of cases) assert.equal(readTimestamp(given), undefined, JSON.stringify(given))
})

test('any instant is returned unchanged, and any text gives a valid instant or nothing', () => {
  const instant = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instant, (date) => {
      assert.equal(readTimestamp(date.toISOString()), date.toISOString())
    }),
  )
  const digits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'))
  const almost = fc
    .tuple(digits, digits, digits, digits, digits, digits, fc.constantFrom('', 'Z', '+12:00', '-99:99'))
    .map(([c, y, mo, d, h, mi, offset]) => `${c}${y}-${mo}-${d}T${h}:${mi}:00${offset}`)
  fc.assert(
    fc.property(fc.oneof(almost, fc.string()), (text) => {
      const read = readTimestamp(text)
      assert.equal(read, read && readTimestamp(read))
      assert.match(read ?? '0001-01-01T00:00:00.000Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }),
    { numRuns: 1000 * effort },
  )
})
