import assert from 'node:assert/strict'
import test from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { demoDirectory, serve, withDatabaseOf } from './process.ts'

test('the log has request, user, operation, status and duration, but no secrets and no bodies', async () => {
  const service = await serve({ CARDINAL_DATA_DIR: await demoDirectory(), CARDINAL_LOG_LEVEL: 'debug' })
  const secure = demoAccounts.find((account) => account.totpSecret !== undefined)
  const code = new TOTP({ secret: Secret.fromBase32(secure?.totpSecret as string) }).generate()
  const wrongPassword = 'a-wrong-password'
  const newPassword = 'lanterns-follow-a-quiet-tide'
  const nobody = service.client()
  await nobody.attempt('/v1/authenticate', { email: 'owner@acme.test', password: wrongPassword })
  const signedIn = await nobody.call('/v1/authenticate', {
    email: secure?.email as string,
    password: demoPassword,
    code,
  })
  const client = service.client(signedIn.token)
  const { user } = await client.call('/services/identity/v1/users/me')
  const title = 'A title that is nobody’s business'
  await client.call('/services/operations/v1/operations/cards/create', { title })
  const changed = await client.call('/services/identity/v1/password/change', {
    current_password: demoPassword,
    new_password: newPassword,
  })
  await service.stop()

  // The welcome message contains the demo password on purpose; only JSON lines are the log.
  const lines = `${service.stdout}\n${service.stderr}`.split('\n').filter((line) => line.startsWith('{'))
  const log = lines.join('\n')
  for (const secret of [
    demoPassword,
    wrongPassword,
    newPassword,
    signedIn.token,
    changed.token,
    code,
    title,
    'Bearer',
  ])
    assert.ok(!log.includes(secret), `the log holds ${secret}`)
  const audit = lines
    .filter((entry) => entry.includes('"msg":"audit"'))
    .map((entry) => JSON.parse(entry).audit)
  assert.deepEqual(
    audit.map(({ kind, accountId, address }) => [kind, accountId === user.id, address]),
    [
      ['sign_in.failed', false, '127.0.0.1'],
      ['sign_in.succeeded', true, '127.0.0.1'],
      ['password.changed', true, '127.0.0.1'],
    ],
  )
  assert.ok(!log.includes('owner@acme.test'))
  const line = lines.find((entry) => entry.includes('/users/me'))
  const { requestId, userId, operation, status, milliseconds } = JSON.parse(line as string)
  assert.match(requestId, /^[\w-]{36}$/)
  assert.deepEqual([userId, operation, status], [user.id, '/services/identity/v1/users/me', 200])
  assert.equal(typeof milliseconds, 'number')
})

test('for an error the log has the cause but no text of users and no email address; the answer has no details', async () => {
  const directory = await demoDirectory()
  const service = await serve({ CARDINAL_DATA_DIR: directory })
  const client = service.client(await service.signIn('owner@acme.test', demoPassword))
  const { checkout_url: url } = await client.call('/services/platforms/v1/subscriptions/upgrade-trial', {
    product: 'website',
    plan: 'pro',
    period: 'year',
  })
  await fetch(url, { method: 'POST', headers: { 'content-type': 'nonsense/;' }, body: 'number=4242' })
  const name = 'A name that is nobody’s business'
  await withDatabaseOf(directory, async ({ sql }) => {
    await sql.unsafe(`alter table tags add constraint refused check (name <> '${name}')`)
    await sql`alter table checkouts rename to checkouts_away`
  })
  const refused = await client.attempt('/services/operations/v1/operations/tags/create', { name })
  const broken = await fetch(url)
  assert.deepEqual([refused.status, broken.status], [500, 500])
  assert.equal(await broken.text(), '{"error":true,"message":"Server Error","data":[]}')
  await service.stop()

  const lines = service.stdout.split('\n').filter((line) => line.startsWith('{'))
  const causes = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 500)
  assert.deepEqual(
    causes.map(({ operation, error }) => [operation, error.code]),
    [
      ['/services/operations/v1/operations/tags/create', '23514'],
      ['GET /checkout/:token', '42P01'],
    ],
  )
  for (const secret of [name, url.split('/').at(-1) as string])
    assert.ok(!lines.join('\n').includes(secret), `the log holds ${secret}`)
})
