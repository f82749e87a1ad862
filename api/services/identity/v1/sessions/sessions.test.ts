import assert from 'node:assert/strict'
import test from 'node:test'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const me = '/services/identity/v1/users/me'
const list = '/services/identity/v1/sessions/list'
const revoke = '/services/identity/v1/sessions/revoke'
const revokeAll = '/services/identity/v1/sessions/revoke-all'

const statusOf = async (token: string) => (await service.client(token).attempt(me)).status
const signIn = async (email: string) =>
  (await service.client().call('/v1/authenticate', { email, password })).token

test('200 list: the valid sessions of the caller alone, the newest first', async () => {
  const user = await service.addUser()
  await service.addUser()
  const token = await signIn(user.email)
  await service.db.sql`
    update sessions set expires_at = now() - interval '1 second'
    where user_id = ${user.id} and token_hash = sha256(${user.token}::bytea)`
  const { sessions } = await service.client(token).call(list)
  assert.equal(sessions.length, 1)
  assert.deepEqual(
    { ...sessions[0], id: 0, created_at: '', last_used_at: '', expires_at: '' },
    {
      id: 0,
      is_current: true,
      carrier: 'bearer',
      second_factor: false,
      address: '127.0.0.1',
      user_agent: 'node',
      created_at: '',
      last_used_at: '',
      expires_at: '',
    },
  )
})

test('200 revoke: this session, or a named one, ends at once', async () => {
  const user = await service.addUser()
  const other = await signIn(user.email)
  const { sessions } = await service.client(user.token).call(list)
  const otherId = sessions.find((session) => !session.is_current)?.id as number
  await service.client(user.token).call(revoke, { id: otherId })
  assert.equal(await statusOf(other), 401)
  assert.deepEqual(await service.client(user.token).call(revoke), [])
  assert.equal(await statusOf(user.token), 401)
})

test('404 revoke: the session of somebody else is not touched', async () => {
  const user = await service.addUser()
  const other = await service.addUser()
  const { sessions } = await service.client(other.token).call(list)
  for (const id of [sessions[0]?.id as number, 0, -1, 2 ** 53 - 1])
    assert.equal((await service.client(user.token).attempt(revoke, { id })).status, 404)
  assert.equal(await statusOf(other.token), 200)
})

test('200 revoke-all: every session of the caller and nobody else', async () => {
  const user = await service.addUser()
  const other = await service.addUser()
  const second = await signIn(user.email)
  assert.deepEqual(await service.client(second).call(revokeAll), { revoked_count: 2 })
  assert.deepEqual(
    [await statusOf(user.token), await statusOf(second), await statusOf(other.token)],
    [401, 401, 200],
  )
})

test('200 revoke-all: the session that asks is kept where it says so', async () => {
  const user = await service.addUser()
  const second = await signIn(user.email)
  assert.deepEqual(await service.client(second).call(revokeAll, { keep_current: true }), { revoked_count: 1 })
  assert.deepEqual([await statusOf(user.token), await statusOf(second)], [401, 200])
})

test('401 for an expired session', async () => {
  const user = await service.addUser()
  await service.db.sql`update sessions set expires_at = now() where user_id = ${user.id}`
  assert.equal(await statusOf(user.token), 401)
})

test('a session that is used lives on: 30 days from its last use', async () => {
  const user = await service.addUser()
  await service.db.sql`
    update sessions set last_used_at = now() - interval '20 days', expires_at = now() + interval '10 days'
    where user_id = ${user.id}`
  assert.equal(await statusOf(user.token), 200)
  const [row] = await service.db.sql`
    select expires_at > now() + interval '29 days 23 hours' as extended from sessions where user_id = ${user.id}`
  assert.equal(row?.['extended'], true)
})

test('revocation is seen at once by a second instance on the same database', async () => {
  const second = await startTestService({}, service.address)
  const user = await service.addUser()
  assert.equal((await second.client(user.token).attempt(me)).status, 200)
  await service.client(user.token).call(revoke)
  assert.equal((await second.client(user.token).attempt(me)).status, 401)
})

const change = '/services/identity/v1/password/change'
const newPassword = 'a much better password'

test('200 password/change: every session ends and the new token works', async () => {
  const user = await service.addUser()
  const second = await signIn(user.email)
  const { token } = await service
    .client(second)
    .call(change, { current_password: password, new_password: newPassword })
  assert.deepEqual(
    [await statusOf(user.token), await statusOf(second), await statusOf(token)],
    [401, 401, 200],
  )
  const signedIn = (secret: string) =>
    service.client().attempt('/v1/authenticate', { email: user.email, password: secret })
  assert.equal((await signedIn(password)).status, 401)
  assert.equal((await signedIn(newPassword)).status, 200)
})

test('422 password/change: a wrong current password, a short and a long new one; nothing changes', async () => {
  const user = await service.addUser()
  const client = service.client(user.token)
  const attempts = [
    { current_password: 'wrong', new_password: newPassword },
    { current_password: password, new_password: 'short' },
    { current_password: password, new_password: 'ü'.repeat(600) },
  ]
  for (const attempt of attempts) assert.equal((await client.attempt(change, attempt)).status, 422)
  assert.equal(await statusOf(user.token), 200)
  await signIn(user.email)
})

test('429 password/change: guessing the current password is slowed down like signing in', async () => {
  const user = await service.addUser()
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    const input = { current_password: `wrong ${i}`, new_password: newPassword }
    statuses.push((await service.client(user.token).attempt(change, input)).status)
  }
  assert.deepEqual(statuses, [...Array(9).fill(422), 429, 429])
})

test('401 password/change: of two at once, the one whose session the other has ended', async () => {
  const user = await service.addUser()
  const attempt = () =>
    service.client(user.token).attempt(change, { current_password: password, new_password: newPassword })
  const held = await service.db.transaction(async (holding) => {
    await holding.sql`select from users where id = ${user.id} for update`
    const both = Promise.all([attempt(), attempt()])
    await waitingForLocks(service.db, 2)
    return { both }
  })
  const statuses = (await held.both).map((result) => result.status).sort()
  assert.deepEqual(statuses, [200, 401])
})
