// Superadmins need two-factor authentication: without it they are ordinary users.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { createBoard } from '#tests/board.ts'
import { password, startTestService, type TestService, testTotpSecret } from '#tests/service.ts'

const service = await startTestService()
const work = '/services/operations/v1/operations'
const templates = '/services/operations/v1/admin/master-boards/list'
const folder = '/services/identity/v1/second-factor'
const me = '/services/identity/v1/users/me'
const needed = [403, 'second_factor_setup_required']

const codeOf = (answer: { ok: boolean; status: number; code?: string }) => [
  answer.status,
  answer.ok ? null : answer.code,
]

test('they sign in, set it up, may do what superadmins may, and no longer once it is off', async () => {
  const { email } = await service.addUser({ superadmin: true, totpSecret: null })
  const signedIn = await service.client().call('/v1/authenticate', { email, password })
  assert.equal(signedIn.superadmin, true)
  const client = service.client(signedIn.token)
  assert.deepEqual(codeOf(await client.attempt(templates)), needed)
  const before = (await client.call(me)).user
  assert.deepEqual([before.superadmin, before.second_factor_needed], [true, true])
  const { secret } = await client.call(`${folder}/begin`, { password })
  assert.deepEqual(codeOf(await client.attempt(templates)), needed)
  await client.call(`${folder}/confirm`, { code: new TOTP({ secret }).generate() })
  assert.deepEqual(codeOf(await client.attempt(templates)), [200, null])
  assert.equal((await client.call(me)).user.second_factor_needed, false)
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
  await client.call(`${folder}/disable`, { password, code })
  assert.deepEqual(codeOf(await client.attempt(templates)), needed)
})

test('403 in projects of others, whatever a call acts on; their own membership stays', async () => {
  const foreign = await createBoard(service, { cards: 1 })
  const ownId = await service.addProject('Own')
  const user = await service.addUser({ superadmin: true, totpSecret: null, roles: { [ownId]: 'owner' } })
  const client = service.client(user.token)
  const there = service.client(user.token, { 'x-project-id': String(foreign.projectId) })
  const [groupId = 0] = foreign.groupIds
  const attempts = [
    there.attempt(`${work}/boards/list`),
    there.attempt(me),
    client.attempt(`${work}/cards/get`, { id: foreign.cardIds[0] as number }),
    client.attempt(`${work}/groups/reorder`, { groups: [{ id: groupId, position: 1 }] }),
    client.attempt(`${work}/evaluations/report-many`, {
      results: [{ project_id: foreign.projectId, check: 'a', passed: true }],
    }),
    there.attempt('/services/identity/v1/audit/list'),
  ]
  for (const answer of await Promise.all(attempts)) assert.deepEqual(codeOf(answer), needed)
  const stream = await service.fetch(`${work}/events/stream`, {
    headers: { authorization: `Bearer ${user.token}`, 'x-project-id': String(foreign.projectId) },
  })
  assert.deepEqual([stream.status, stream.headers.get('x-error-code')], needed)
  assert.equal((await client.attempt(`${work}/boards/list`)).status, 200)
  const { projects } = await client.call('/services/identity/v1/projects/list')
  assert.deepEqual(
    projects.map(({ id }) => id),
    [ownId],
  )
})

test('403 forbidden as before where two-factor authentication would not help', async () => {
  const [other] = await service.db.sql<{ id: number }[]>`
    insert into platforms (name) values ('Other') returning id`
  const foreign = await createBoard(service, { cards: 1 })
  const ofOther = await service.addUser({
    superadmin: true,
    totpSecret: null,
    platformId: other?.id as number,
  })
  const inOther = await service.addProject('Elsewhere', [], other?.id as number)
  await service.db.sql`
    insert into memberships (project_id, user_id, role) values (${inOther}, ${ofOther.id}, 'owner')`
  const client = service.client(ofOther.token)
  const answer = await client.attempt(`${work}/cards/get`, { id: foreign.cardIds[0] as number })
  assert.deepEqual(codeOf(answer), [403, 'forbidden'])
  const withoutBilling = await service.addUser({
    superadmin: true,
    superadminBilling: false,
    totpSecret: null,
  })
  const orders = await service.client(withoutBilling.token).attempt('/services/platforms/v1/orders/list-open')
  assert.deepEqual(codeOf(orders), [403, 'forbidden'])
})

test('an event stream of a superadmin ends when two-factor authentication is turned off', async () => {
  const projectId = await service.addProject()
  const user = await service.addUser({ superadmin: true })
  const stream = await service.fetch(`${work}/events/stream`, {
    headers: { authorization: `Bearer ${user.token}`, 'x-project-id': String(projectId) },
  })
  assert.equal(stream.status, 200)
  await service.db.sql`update users set totp_secret = null where id = ${user.id}`
  for await (const _ of stream.body ?? []) {
    // Until it ends.
  }
})

test('an event stream of a superadmin who signed in with a passkey stays open, and ends when the passkey is removed', async () => {
  const { sql } = service.db
  const projectId = await service.addProject()
  const user = await service.addUser({ superadmin: true, totpSecret: null })
  await sql`
    with added as (
      insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
      values (${user.id}, ${Buffer.from('superadmin')}, '', 0, 'Phone', false) returning id)
    update sessions set passkey_id = added.id from added where user_id = ${user.id}`
  const stream = await service.fetch(`${work}/events/stream`, {
    headers: { authorization: `Bearer ${user.token}`, 'x-project-id': String(projectId) },
  })
  assert.equal(stream.status, 200)
  const ended = (async () => {
    for await (const _ of stream.body ?? []) {
      // Until it ends.
    }
    return 'ended'
  })()
  // Longer than the time between two looks.
  assert.equal(await Promise.race([ended, delay(4000, 'open')]), 'open')
  await sql`delete from passkeys where user_id = ${user.id}`
  assert.equal(await ended, 'ended')
})

async function demoAccount(at: TestService) {
  const user = await at.addUser({ superadmin: true, totpSecret: null })
  await at.db.sql`update users set is_demo = true where id = ${user.id}`
  return { ...user, client: at.client(user.token) }
}

test('demo accounts are exempt, but not on a service that others can reach', async () => {
  const { client: open } = await demoAccount(service)
  assert.deepEqual(codeOf(await open.attempt(templates)), [200, null])
  assert.equal((await open.call(me)).user.second_factor_needed, false)
  const reachable = await startTestService({ isPublic: true, allowsDemo: true })
  const { client: refused } = await demoAccount(reachable)
  assert.deepEqual(codeOf(await refused.attempt(templates)), needed)
  const member = await reachable.addUser({ superadmin: true, totpSecret: testTotpSecret })
  assert.deepEqual(codeOf(await reachable.client(member.token).attempt(templates)), [200, null])
})

test('demo accounts are not exempt in requests that came through a proxy, also one that nobody declared', async () => {
  const { token, client } = await demoAccount(service)
  for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip']) {
    const proxied = service.client(token, { [header]: '127.0.0.1' })
    assert.deepEqual(codeOf(await proxied.attempt(templates)), needed, header)
    assert.equal((await proxied.call(me)).user.second_factor_needed, true, header)
  }
  assert.deepEqual(codeOf(await client.attempt(templates)), [200, null])
})

test('an event stream of a demo account stays open where it is exempt, and ends with its membership behind a proxy', async () => {
  const projectId = await service.addProject()
  const { id, token } = await demoAccount(service)
  await service.db.sql`
    insert into memberships (project_id, user_id, role) values (${projectId}, ${id}, 'member')`
  const open = async (headers: Record<string, string>) => {
    const stream = await service.fetch(`${work}/events/stream`, {
      headers: { authorization: `Bearer ${token}`, 'x-project-id': String(projectId), ...headers },
    })
    assert.equal(stream.status, 200)
    return stream.body as ReadableStream<Uint8Array>
  }
  const forwarded = await open({ 'x-forwarded-for': '203.0.113.1' })
  await service.db.sql`delete from memberships where project_id = ${projectId} and user_id = ${id}`
  for await (const _ of forwarded) {
    // Until it ends.
  }
  const direct = (await open({})).getReader()
  // Longer than the time between two looks.
  const ended = new Promise((resolve) => direct.closed.then(() => resolve('ended')))
  assert.equal(await Promise.race([ended, delay(4000, 'open')]), 'open')
  await direct.cancel()
})
