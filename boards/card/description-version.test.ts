import assert from 'node:assert/strict'
import test from 'node:test'
import { descriptionVersion } from './description-version.ts'

const numbers = (before: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${before}${index}`)

test('different texts have different versions, and the same text has the same one', () => {
  const texts = [
    '',
    'a',
    'b',
    'ab',
    'ba',
    'é',
    'e\u0301',
    '😀',
    '😁',
    ...numbers('', 20_000),
    ...numbers('<p>', 20_000),
  ]
  const versions = texts.map(descriptionVersion)
  assert.equal(new Set(versions).size, texts.length)
  assert.deepEqual(texts.map(descriptionVersion), versions)
  assert.ok(versions.every((version) => /^[0-9a-f]{16}$/.test(version)))
  assert.equal(descriptionVersion(null), descriptionVersion(''))
})
