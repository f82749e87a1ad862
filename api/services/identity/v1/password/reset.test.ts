import assert from 'node:assert/strict'
import test from 'node:test'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { eventually } from '#tests/process.ts'
import { password, recordedLog, startTestService, type TestUser } from '#tests/service.ts'

const request = '/services/identity/v1/password/request-reset'
const check = '/services/identity/v1/password/check-reset'
const reset = '/services/identity/v1/password/reset'
const newPassword = 'tall oaks hum at noon'

const server = await startMailServer()
const { log, lines } = recordedLog()
const service = await startTestService({ mail: server.mail }, undefined, log)
const anonymous = service.client()

async function tokenFor({ email }: Pick<TestUser, 'email'>): Promise<string> {
  const before = server.mails.length
  await anonymous.call(request, { email })
  await eventually(() => assert.ok(server.mails.length > before))
  return linkIn(await server.newest(email, /Reset/), '/reset-password').split('#')[1] as string
}

const attempt = async (token: string, new_password = newPassword) => {
  const answer = await anonymous.attempt(reset, { token, new_password })
  return [answer.status, answer.ok ? null : answer.code]
}

const signIn = async ({ email }: TestUser, given: string) =>
  (await anonymous.attempt('/v1/authenticate', { email, password: given })).status

test('200 the link of the mail sets a password once, ends all sessions and tells the owner', async () => {
  const user = await service.addUser()
  const token = await tokenFor(user)
  assert.deepEqual(await anonymous.call(check, { token }), {
    email: user.email,
    name: `User ${user.email.replace(/\D/g, '')}`,
  })
  assert.deepEqual(await attempt(token), [200, null])
  const ended = await service.client(user.token).attempt('/services/identity/v1/users/me')
  assert.deepEqual([ended.status, ended.ok ? null : ended.code], [401, 'session_password_changed'])
  assert.deepEqual([await signIn(user, password), await signIn(user, newPassword)], [401, 200])
  await server.newest(user.email, /Your password was changed/)
  assert.deepEqual(await attempt(token), [404, 'reset_link_not_found'])
  assert.equal((await anonymous.attempt(check, { token })).status, 404)
  const kinds = await service.db.sql`
    select kind from audit_entries where account_id = ${user.id} and kind like 'password.%' order by id`
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['password.reset_requested', 'password.reset'],
  )
  // The database has neither the token nor a mail that holds it.
  const [stored] = await service.db.sql<{ text: string }[]>`
    select json_build_object('resets', (select json_agg(r) from password_resets r), 'mails', (select json_agg(m) from mails m))::text as text`
  assert.ok(!stored?.text.includes(token))
  const log = lines.join('')
  assert.ok(log.includes('mail sent') && !log.includes(token) && !log.includes(user.email))
})

test('200 and no mail for an address without an account, a disabled account, and a fourth link in an hour', async () => {
  const user = await service.addUser()
  const disabled = await service.addUser()
  await service.db.sql`update users set disabled_at = now() where id = ${disabled.id}`
  const known = await anonymous.attempt(request, { email: user.email })
  const unknown = await anonymous.attempt(request, { email: 'nobody@example.test' })
  assert.deepEqual([known.status, known.ok && known.data], [unknown.status, unknown.ok && unknown.data])
  for (const email of [disabled.email, user.email, user.email, user.email])
    await anonymous.call(request, { email })
  await eventually(async () => {
    const waiting = await service.db.sql`select from password_reset_requests`
    assert.equal(waiting.length, 0)
  })
  const sent = await service.db.sql<{ to_address: string }[]>`
    select to_address from mails where to_address in ('nobody@example.test', ${disabled.email}, ${user.email})`
  assert.deepEqual(
    sent.map(({ to_address }) => to_address),
    [user.email, user.email, user.email],
  )
  await service.db.sql`delete from sign_in_attempts`
})

test('404 for a link that has expired, that was replaced by a new password, or of a disabled account', async () => {
  const user = await service.addUser()
  const expired = await tokenFor(user)
  await service.db.sql`update password_resets set expires_at = now() where user_id = ${user.id}`
  assert.deepEqual(await attempt(expired), [404, 'reset_link_not_found'])
  const [first, second] = [await tokenFor(user), await tokenFor(user)]
  assert.deepEqual(await attempt(second), [200, null])
  assert.deepEqual(await attempt(first, 'a second very quiet lantern'), [404, 'reset_link_not_found'])
  const other = await service.addUser()
  const useless = await tokenFor(other)
  await service.db.sql`update users set disabled_at = now() where id = ${other.id}`
  assert.deepEqual(await attempt(useless), [404, 'reset_link_not_found'])
  assert.deepEqual(await attempt('x'), [404, 'reset_link_not_found'])
  await service.db.sql`delete from sign_in_attempts`
})

test('200 once for two calls with one link at the same time', async () => {
  const user = await service.addUser()
  const token = await tokenFor(user)
  const outcomes = await Promise.all([attempt(token), attempt(token, 'a second very quiet lantern')])
  assert.deepEqual(outcomes.map(([status]) => status).sort(), [200, 404])
})

test('422 for a password that is easy to guess or too long; the link stays usable', async () => {
  const user = await service.addUser()
  const token = await tokenFor(user)
  assert.deepEqual(await attempt(token, 'passwordpassword'), [422, 'new_password_too_easy'])
  assert.deepEqual(await attempt(token, 'ü'.repeat(600)), [422, 'new_password_too_long'])
  assert.deepEqual(await attempt(token), [200, null])
})

test('429 for many requests from one address, whether or not the accounts exist', async () => {
  const limited = await startTestService({ mail: server.mail })
  const statuses: number[] = []
  for (let number = 0; number < 12; number++)
    statuses.push((await limited.client().attempt(request, { email: `nobody${number}@example.test` })).status)
  assert.deepEqual([...new Set(statuses.slice(0, 10))], [200])
  assert.equal(statuses.at(-1), 429)
})

test('400 for a service that cannot send mails', async () => {
  const silent = await startTestService({ mail: { way: 'none' } })
  const answer = await silent.client().attempt(request, { email: 'a@example.test' })
  assert.deepEqual([answer.status, answer.ok ? null : answer.code], [400, 'mail_not_set_up'])
  assert.equal((await silent.client().call('/services/identity/v1/setup/status')).mail, 'none')
})

test('400 once the demo whose outbox would show the link is closed', async () => {
  const demo = await startTestService({ mail: { way: 'outbox' } })
  const user = await demo.addUser()
  const asking = async () => (await demo.client().attempt(request, { email: user.email })).status
  assert.equal(await asking(), 400)
  await demo.db.sql`update users set is_demo = true`
  assert.equal(await asking(), 200)
  assert.equal((await demo.client().call('/services/identity/v1/setup/status')).mail, 'outbox')
})
