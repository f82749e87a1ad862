import assert from 'node:assert/strict'
import test from 'node:test'
import { connect } from '#database/connect.ts'
import { queueMail } from '#mail/queue.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { mailSecrets } from './sealed-link.ts'
import { sealAll, secretsWith } from './secrets.ts'

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

test('the links of mails that wait are sealed with the new key too, unless their key is lost', async (t) => {
  const database = await createTestDatabase()
  const db = connect(database.address, { connections: 1 })
  t.after(async () => {
    await db.end()
    await database.drop()
  })
  const lost = secretsWith(() => [Buffer.alloc(32, 'c').toString('base64')])
  for (const [to, keys] of [
    ['one@example.test', secrets],
    ['two@example.test', lost],
  ] as const)
    await queueMail(db, {
      kind: 'password_reset',
      to,
      language: 'en',
      values: { email: to, minutes: 30 },
      sealedSecret: mailSecrets(keys).seal('the secret'),
    })
  await sealAll(
    db,
    secretsWith(() => [second, first]),
  )
  const mails = await db.sql<{ secret: string }[]>`select secret from mails order by to_address`
  const [kept, gone] = mails.map(({ secret }) => secret) as [string, string]
  assert.equal(mailSecrets(secretsWith(() => [second])).open(kept), 'the secret')
  assert.equal(mailSecrets(lost).open(gone), 'the secret')
})
