import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '#tests/random.ts'
import { isSimpleEnough, limitsOf } from './body-limits.ts'
import { email, flag, integer, list, oneOf, optional, record, secret, text, timestamp } from './schema.ts'

const kilobytes = 1024

test('a body has 64 KiB where no long text and no list is declared', () => {
  const short = { id: integer(), title: text({ max: 255 }), done: optional(flag()), due: timestamp() }
  for (const input of [{}, short, { email: email(), password: secret() }, { kind: oneOf(['a', 'b']) }])
    assert.equal(limitsOf(input).bytes, 64 * kilobytes)
})

test('a declared text fits in, however it is written', () => {
  const { bytes } = limitsOf({ id: integer(), description: optional(text()) })
  const description = '😀'.repeat(65_535)
  const escaped = [...description].map(() => '\\ud83d\\ude00').join('')
  for (const body of [JSON.stringify({ id: 1e15, description }), `{"id":1e15,"description":"${escaped}"}`])
    assert.ok(Buffer.byteLength(body) <= bytes, `${Buffer.byteLength(body)} of ${bytes}`)
})

test('a declared list fits in, up to 1 MiB', () => {
  const input = { entries: list(record({ id: integer(), position: integer() }), { max: 1000 }) }
  const entries = Array.from({ length: 1000 }, () => ({ id: -(2 ** 52), position: 2 ** 52 }))
  const body = Buffer.from(JSON.stringify({ entries }))
  const limits = limitsOf(input)
  assert.ok(body.length <= limits.bytes && limits.bytes < 150 * kilobytes, String(limits.bytes))
  assert.ok(isSimpleEnough(body, limits))
  assert.equal(limitsOf({ texts: list(text(), { max: 50 }) }).bytes, 1024 * kilobytes)
  assert.throws(() => limitsOf({ entries: list(integer()) }), /maximum/)
})

test('the limits are those of the largest declared body, and 1,000 keys and values more', () => {
  const entry = record({
    id: integer(),
    name: text({ max: 10 }),
    due: timestamp(),
    kind: oneOf(['a', 'bcd']),
  })
  const largest = {
    id: '1'.repeat(24),
    name: '\\ud83d\\ude00'.repeat(10),
    due: 'x'.repeat(62),
    kind: '\\ud83d\\ude00'.repeat(3),
  }
  // The id is written without quotes.
  const bytesOfEntry = JSON.stringify(largest).replaceAll('\\\\', '\\').length - 2
  const { bytes, keys, values } = limitsOf({ entries: list(entry, { max: 1000 }) })
  // Each field and each entry has its comma.
  assert.equal(bytes, '{"entries":[],}'.length + 1000 * (bytesOfEntry + 2))
  assert.deepEqual([keys - 1000, values - 1000], [1 + 4 * 1000, 2 + 6 * 1000])
})

/** Counts in the value what the scan counts in the text. */
function count(value: unknown): { keys: number; values: number } {
  if (typeof value !== 'object' || value === null) return { keys: 0, values: 0 }
  const entries = Object.values(value).map(count)
  return {
    keys: entries.reduce((sum, { keys }) => sum + keys, Array.isArray(value) ? 0 : entries.length),
    values: entries.reduce((sum, { values }) => sum + values, 1 + Math.max(0, entries.length - 1)),
  }
}

test('keys and values are counted exactly, whatever the strings hold', () => {
  const strings = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\\"', '{":,[', '\\\\'))
  const values = fc.letrec((tie) => ({
    value: fc.oneof(strings, fc.integer(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(strings, tie('value'), { maxKeys: 4 }),
  }))
  fc.assert(
    fc.property(values.object, (value) => {
      const body = Buffer.from(JSON.stringify(value))
      const { keys, values } = count(value)
      const isAllowed = (keys: number, values: number) => isSimpleEnough(body, { bytes: 0, keys, values })
      assert.ok(isAllowed(keys, values))
      assert.ok(!isAllowed(keys - 1, values) && !isAllowed(keys, values - 1))
    }),
    { numRuns: 300 },
  )
})

test('32 levels are allowed, and not one more', () => {
  const nested = (levels: number) => Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const limits = { bytes: 0, keys: 0, values: 100 }
  assert.deepEqual(
    [nested(32), nested(33)].map((body) => isSimpleEnough(body, limits)),
    [true, false],
  )
})

test('text that is no JSON is counted to its end', () => {
  for (const body of ['"', '"\\', '"\\"', '}}}}', '', '\\"', '"a\\\\\\'])
    assert.ok(isSimpleEnough(Buffer.from(body), { bytes: 0, keys: 0, values: 0 }), body)
})
