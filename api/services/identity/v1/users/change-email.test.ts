import assert from 'node:assert/strict'
import test from 'node:test'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { eventually } from '#tests/process.ts'
import { password, startTestService, type TestUser } from '#tests/service.ts'

const change = '/services/identity/v1/users/change-email'
const confirm = '/services/identity/v1/users/confirm-email'
const server = await startMailServer()
const service = await startTestService({ mail: server.mail })

let number = 0
const newAddress = () => `new${++number}@example.test`
const outcome = (answer: { ok: boolean; status: number; code?: string }) => [
  answer.status,
  answer.ok ? null : answer.code,
]
const ask = async (user: TestUser, email: string) =>
  outcome(await service.client(user.token).attempt(change, { email }))
const open = async (token: string) => outcome(await service.client().attempt(confirm, { token }))
const secretOf = async (email: string) =>
  linkIn(await server.newest(email, /Confirm/), '/confirm-email').split('#')[1] as string
const signIn = async (email: string) =>
  (await service.client().attempt('/v1/authenticate', { email, password })).status

test('200 the address changes once it is confirmed, and the old one is told twice', async () => {
  const user = await service.addUser()
  const email = newAddress()
  assert.deepEqual(await ask(user, email), [200, null])
  const token = await secretOf(email)
  await server.newest(user.email, /about to change/)
  assert.deepEqual([await signIn(user.email), await signIn(email)], [200, 401])
  assert.deepEqual(await open(token), [200, null])
  await server.newest(user.email, /Your email address was changed/)
  assert.deepEqual([await signIn(user.email), await signIn(email)], [401, 200])
  assert.deepEqual(await open(token), [404, 'email_link_not_found'])
  const kinds = await service.db.sql`
    select kind from audit_entries where account_id = ${user.id} and kind like 'email.%' order by id`
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['email.change_requested', 'email.changed'],
  )
  // Somebody who reads the old mailbox cannot get in any more.
  await service.client().call('/services/identity/v1/password/request-reset', { email: user.email })
  await eventually(async () =>
    assert.equal((await service.db.sql`select from password_reset_requests`).length, 0),
  )
  assert.equal(
    (await service.db.sql`select from mails where to_address = ${user.email} and kind = 'password_reset'`)
      .length,
    0,
  )
})

test('200 for an address that has an account, whose owner alone learns it', async () => {
  const [user, other] = [await service.addUser(), await service.addUser()]
  assert.deepEqual(await ask(user, other.email), [200, null])
  await server.newest(other.email, /already has an account/)
  const sent = await service.db
    .sql`select from mails where to_address = ${other.email} and kind = 'confirm_address'`
  assert.equal(sent.length, 0)
  // As the owner wrote it, and not as it was asked for.
  const third = await service.addUser()
  assert.deepEqual(await ask(third, other.email.toUpperCase()), [200, null])
  const told = await service.db.sql<{ to_address: string }[]>`
    select to_address from mails where lower(to_address) = ${other.email} and kind = 'address_taken'`
  assert.deepEqual(
    told.map((mail) => mail.to_address),
    [other.email, other.email],
  )
})

test('400 if the address has an account by the time it is confirmed', async () => {
  const user = await service.addUser()
  const email = newAddress()
  await ask(user, email)
  const token = await secretOf(email)
  const other = await service.addUser()
  await service.db.sql`update users set email = ${email.toUpperCase()} where id = ${other.id}`
  assert.deepEqual(await open(token), [400, 'email_taken'])
  const [unchanged] = await service.db.sql`select email from users where id = ${user.id}`
  assert.equal(unchanged?.['email'], user.email)
})

test('429 after ten requests in 24 hours', async () => {
  const user = await service.addUser()
  const forget = () => service.db.sql`delete from email_changes where user_id = ${user.id}`
  for (let count = 0; count < 10; count++) {
    assert.deepEqual(await ask(user, newAddress()), [200, null])
    await forget()
  }
  assert.deepEqual(await ask(user, newAddress()), [429, 'too_many_changes'])
  await service.db.sql`
    update audit_entries set at = now() - interval '25 hours' where account_id = ${user.id} and id = (
      select min(id) from audit_entries where account_id = ${user.id} and kind = 'email.change_requested')`
  assert.deepEqual(await ask(user, newAddress()), [200, null])
})

test('404 for a link that has expired, that another one has replaced, or of a disabled account', async () => {
  const user = await service.addUser()
  const [first, second] = [newAddress(), newAddress()]
  await ask(user, first)
  const replaced = await secretOf(first)
  assert.deepEqual(await ask(user, second), [429, 'sent_just_now'])
  await service.db
    .sql`update email_changes set created_at = now() - interval '2 minutes' where user_id = ${user.id}`
  assert.deepEqual(await ask(user, second), [200, null])
  assert.deepEqual(await open(replaced), [404, 'email_link_not_found'])
  const token = await secretOf(second)
  await service.db.sql`update users set disabled_at = now() where id = ${user.id}`
  assert.deepEqual(await open(token), [404, 'email_link_not_found'])
  await service.db.sql`update users set disabled_at = null where id = ${user.id}`
  await service.db.sql`update email_changes set expires_at = now() where user_id = ${user.id}`
  assert.deepEqual(await open(token), [404, 'email_link_not_found'])
  assert.deepEqual(await open('x'), [404, 'email_link_not_found'])
})

test('404 after the owner has reset the password, as the mail to the old address says', async () => {
  const user = await service.addUser()
  const email = newAddress()
  await ask(user, email)
  const token = await secretOf(email)
  await server.newest(user.email, /about to change/)
  await service.client().call('/services/identity/v1/password/request-reset', { email: user.email })
  const reset = linkIn(await server.newest(user.email, /Reset/), '/reset-password').split('#')[1] as string
  await service
    .client()
    .call('/services/identity/v1/password/reset', { token: reset, new_password: 'seven quiet otters drum' })
  assert.deepEqual(await open(token), [404, 'email_link_not_found'])
})

test('403 without a recent password, 422 for the present address, 400 without mail', async () => {
  const user = await service.addUser()
  assert.deepEqual(await ask(user, user.email.toUpperCase()), [422, 'email_unchanged'])
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  assert.deepEqual(await ask(user, newAddress()), [403, 'password_confirmation_required'])
  const silent = await startTestService({ mail: { way: 'none' } })
  const { token } = await silent.addUser()
  const answer = await silent.client(token).attempt(change, { email: newAddress() })
  assert.deepEqual(outcome(answer), [400, 'mail_not_set_up'])
})

test('401 if the session ends while the address is being changed', async () => {
  const user = await service.addUser()
  const { asking } = await service.db.transaction(async ({ sql }) => {
    await sql`select from users where id = ${user.id} for update`
    const asking = ask(user, newAddress())
    await waitingForLocks(service.db, 1)
    await sql`delete from sessions where user_id = ${user.id}`
    return { asking }
  })
  assert.deepEqual(await asking, [401, 'unauthenticated'])
})
