import assert from 'node:assert/strict'
import test from 'node:test'
import { secretsWith } from './secrets.ts'

const [first, second] = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64')) as [
  string,
  string,
]
const secrets = secretsWith(() => [first])

test('a sealed secret opens for its user, and does not contain the secret', () => {
  const sealed = secrets.seal(7, 'JBSWY3DP')
  assert.match(sealed, /^v1\.[0-9a-f]{12}\.[\w-]+$/)
  assert.ok(!Buffer.from(sealed.split('.')[2] as string, 'base64url').includes('JBSWY3DP'))
  assert.notEqual(secrets.seal(7, 'JBSWY3DP'), sealed)
  assert.equal(secrets.open(7, sealed), 'JBSWY3DP')
})

test('it does not open for another user, with another key, or after a change', () => {
  const sealed = secrets.seal(7, 'JBSWY3DP')
  assert.throws(() => secrets.open(8, sealed))
  assert.throws(
    () => secretsWith(() => [second]).open(7, sealed),
    /The key [0-9a-f]{12} of a secret is missing/,
  )
  const [version, id, content = ''] = sealed.split('.')
  const bytes = Buffer.from(content, 'base64url')
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    assert.throws(() => secrets.open(7, `${version}.${id}.${changed.toString('base64url')}`), String(at))
  }
  assert.throws(() => secrets.open(7, `${version}.${id}.${bytes.subarray(0, 20).toString('base64url')}`))
})

test('with several keys the first one seals and all of them open', () => {
  const before = secrets.seal(7, 'JBSWY3DP')
  const rotated = secretsWith(() => [second, first])
  assert.equal(rotated.open(7, before), 'JBSWY3DP')
  assert.deepEqual(
    [rotated.isCurrent(before), rotated.isCurrent(rotated.seal(7, 'A')), rotated.isCurrent('A')],
    [false, true, false],
  )
})

test('a secret from before secrets were encrypted is read as it is', () => {
  assert.equal(secrets.open(7, 'JBSWY3DP'), 'JBSWY3DP')
})
