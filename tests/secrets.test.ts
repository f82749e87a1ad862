// The secrets of authenticator apps are encrypted at rest: from the first start on, across rotations, and not with another key.
import assert from 'node:assert/strict'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { drawn } from './drawn.ts'
import { waitingForLocks } from './lock-waits.ts'
import { demoDirectory, type RunningService, run, serve, start, withDatabaseOf } from './process.ts'

const { email, totpSecret } = demoAccounts.find((account) => account.totpSecret) as {
  email: string
  totpSecret: string
}
const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) })

const stored = (directory: string) =>
  withDatabaseOf(directory, async ({ sql }) => {
    // A code works once, and this test signs in more often than every 30 seconds.
    const [row] = await sql<{ totp_secret: string }[]>`
      update users set totp_last_step = 0 where email = ${email} returning totp_secret`
    return row?.totp_secret ?? ''
  })

const signsIn = async (service: RunningService) => {
  const credentials = { email: email, password: demoPassword, code: totp.generate() }
  return (await service.client().attempt('/v1/authenticate', credentials)).status
}

test('secrets are encrypted with a key file, which can be rotated under a running service', async () => {
  const directory = await demoDirectory()
  const environment = { CARDINAL_DATA_DIR: directory }
  const file = path.join(directory, 'secret.key')
  const keys = async () => (await readFile(file, 'utf8')).trim().split('\n')
  let service = await serve(environment)
  const first = await stored(directory)
  assert.match(first, /^v1\./)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const [firstKey] = await keys()
  assert.equal(await signsIn(service), 200)

  const rotated = await run(['secrets', 'rotate'], environment)
  assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
  assert.match(rotated.stdout, /^Encrypted the secrets of 1 account with a new key in /)
  assert.equal((await keys())[1], firstKey)
  const second = await stored(directory)
  assert.notEqual(second.split('.')[1], first.split('.')[1])
  assert.equal(await signsIn(service), 200)

  // As an earlier version stored it.
  await withDatabaseOf(
    directory,
    ({ sql }) => sql`update users set totp_secret = ${totpSecret} where email = ${email}`,
  )
  assert.equal(await service.stop(), 0)
  service = await serve(environment)
  assert.equal((await stored(directory)).split('.')[1], second.split('.')[1])
  assert.equal(await signsIn(service), 200)
  assert.equal(await service.stop(), 0)

  const kept = await readFile(file, 'utf8')
  await chmod(file, 0o640)
  const open = await run(['serve'], environment)
  assert.deepEqual([open.code, open.stderr], [1, `${file} can be read by other users: chmod 600 it.\n`])
  const id = second.split('.')[1]
  const sentence = (where: string) =>
    `The two-factor secrets in the database are encrypted with the key ${id}, which is not in ${where}. Restore that key; docs/operating.md says what to do if it is lost.\n`
  const other = Buffer.alloc(32, 'x').toString('base64')
  await rm(file)
  await writeFile(file, `${other}\n`, { mode: 0o600 })
  for (const [settings, where] of drawn([
    [environment, file],
    [{ ...environment, CARDINAL_SECRET_KEY: other }, 'CARDINAL_SECRET_KEY'],
  ] as const)) {
    const refused = await run(['serve'], settings)
    assert.deepEqual([refused.code, refused.stderr], [1, sentence(where)])
  }
  await rm(file)
  const lost = await run(['serve'], environment)
  assert.deepEqual([lost.code, lost.stderr], [1, sentence(file)])

  // The key moves from the file to the setting, with another one in front.
  const both = { ...environment, CARDINAL_SECRET_KEY: `${other},${kept.split('\n')[0]}` }
  service = await serve(both)
  assert.notEqual((await stored(directory)).split('.')[1], id)
  assert.equal(await signsIn(service), 200)
  assert.equal(await service.stop(), 0)
})

test('a rotation locks one account at a time; killed in the middle, all secrets still open, and the next one completes', async () => {
  const directory = await demoDirectory()
  const environment = { CARDINAL_DATA_DIR: directory }
  const service = await serve(environment)
  const rotate = async () => assert.equal((await run(['secrets', 'rotate'], environment)).code, 0)
  const keysInUse = () =>
    withDatabaseOf(directory, async ({ sql }) => {
      const rows = await sql<{ key: string }[]>`
        select distinct split_part(totp_secret, '.', 2) as key from users where totp_secret is not null`
      return rows.map(({ key }) => key)
    })
  await withDatabaseOf(
    directory,
    ({ sql }) => sql`update users set totp_secret = ${totpSecret} where id = (select max(id) from users)`,
  )
  await rotate()
  await stored(directory)
  const before = await keysInUse()
  await withDatabaseOf(directory, (db) =>
    db.transaction(async ({ sql }) => {
      await sql`select from users where id = (select max(id) from users) for no key update`
      const rotating = start(['secrets', 'rotate'], environment)
      await withDatabaseOf(directory, (other) => waitingForLocks(other, 1))
      assert.equal(await signsIn(service), 200)
      rotating.child.kill('SIGKILL')
      await rotating.ended
      // Its statement would go on when the lock is released.
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    }),
  )
  const mixed = await keysInUse()
  assert.deepEqual([before.length, mixed.length, mixed.includes(before[0] as string)], [1, 2, true])
  await stored(directory)
  assert.equal(await signsIn(service), 200)

  await rotate()
  const [after, ...others] = await keysInUse()
  assert.deepEqual([others, mixed.includes(after as string)], [[], false])
  await stored(directory)
  assert.equal(await signsIn(service), 200)
  assert.equal(await service.stop(), 0)
})
