// People learn by mail what happens to their account.
import assert from 'node:assert/strict'
import test from 'node:test'
import { TOTP } from 'otpauth'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { password, startTestService, type TestUser, testTotpSecret } from '#tests/service.ts'

const identity = '/services/identity/v1'
const server = await startMailServer()
const service = await startTestService({ mail: server.mail })

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

const signIn = async ({ email }: Pick<TestUser, 'email'>, headers: Record<string, string> = {}) => {
  const response = await service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(response.status, 200)
  return response
}

const noticesOf = async ({ email }: Pick<TestUser, 'email'>) => {
  const rows = await service.db.sql<
    { kind: string }[]
  >`select kind from mails where to_address = ${email} order by id`
  return rows.map(({ kind }) => kind)
}

test('a sign-in on another device is told, on the first or a known one it is not', async () => {
  const user = await service.addUser()
  await signIn(user, { 'user-agent': 'curl/8.1' })
  await signIn(user, { 'user-agent': 'curl/8.2' })
  assert.deepEqual(await noticesOf(user), [])
  const answer = await signIn(user, { 'user-agent': chrome, 'x-session': 'cookie' })
  assert.deepEqual(await noticesOf(user), ['new_device'])
  const mail = await server.newest(user.email)
  assert.equal(mail.subject, 'New sign-in to your account')
  assert.match(mail.text, /Device: Chrome, Linux\n/)
  assert.match(mail.text, /IP address: 127\.0\.0\.1/)
  // The cookie of the device says that it is known, also with another program.
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  await signIn(user, { 'user-agent': 'another', cookie: cookie.replace(/__Host-cardinal=[^;]*; /, '') })
  assert.deepEqual(await noticesOf(user), ['new_device'])
})

test('the device on which an account is created is its first, so a sign-in on another one is told', async () => {
  const projectId = await service.addProject()
  const inviter = await service.addUser({ roles: { [projectId]: 'owner' } })
  const { secret, hash } = newInvitationSecret(projectId)
  const email = 'created@example.test'
  await service.db.sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, ${email}, 'member', ${hash}, ${inviter.id}, now() + interval '1 day')`
  await service.client().call(`${identity}/invitations/sign-up`, {
    token: secret,
    name: 'Ada',
    password: 'tall oaks hum at noon',
  })
  const [stored] = await service.db.sql`select password_hash from users where id = ${inviter.id}`
  await service.db.sql`update users set password_hash = ${stored?.['password_hash']} where email = ${email}`
  await signIn({ email }, { 'user-agent': chrome })
  assert.deepEqual(await noticesOf({ email }), ['new_device'])
})

test('an account has at most 100 devices, so that ever new names cause no flood of mails', async () => {
  const user = await service.addUser()
  await service.db.sql`
    insert into seen_devices (user_id, key) select ${user.id}, sha256(n::text::bytea) from generate_series(1, 100) n`
  await signIn(user, { 'user-agent': 'one more' })
  assert.deepEqual(await noticesOf(user), [])
})

test('a new password, and every change of two-factor authentication', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  const { secret } = await client.call(`${identity}/second-factor/begin`, { password })
  const totp = new TOTP({ secret })
  await client.call(`${identity}/second-factor/confirm`, { code: totp.generate() })
  await service.db.sql`update users set totp_last_step = 0 where id = ${user.id}`
  const { recovery_codes: codes } = await client.call(`${identity}/second-factor/regenerate-codes`, {
    password,
    code: totp.generate(),
  })
  await client.call(`${identity}/second-factor/disable`, {
    password,
    code: codes[0] as string,
    is_recovery: true,
  })
  await client.call(`${identity}/password/change`, {
    current_password: password,
    new_password: 'tall oaks hum at noon',
  })
  assert.deepEqual(await noticesOf(user), [
    'second_factor',
    'second_factor',
    'second_factor',
    'password_changed',
  ])
  for (const subject of [/turned on/, /recovery codes/, /turned off/, /password was changed/])
    await server.newest(user.email, subject)

  const protectedUser = await service.addUser({ totpSecret: testTotpSecret })
  const superadmin = await service.addUser({ superadmin: true })
  await service
    .client(superadmin.token)
    .call(`${identity}/users/reset-second-factor`, { id: protectedUser.id })
  await server.newest(protectedUser.email, /was reset/)
})
