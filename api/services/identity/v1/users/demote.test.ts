import assert from 'node:assert/strict'
import test from 'node:test'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const demote = '/services/identity/v1/users/demote'
const templates = '/services/operations/v1/admin/master-boards/list'
const { sql } = service.db
const [home] = await sql<{ id: number }[]>`select id from platforms order by id limit 1`
const [other] = await sql<{ id: number }[]>`insert into platforms (name) values ('Other') returning id`
const superadmin = await service.addUser({ superadmin: true })
const client = service.client(superadmin.token)
const codeOf = async (token: string, id: number) => {
  const answer = await service.client(token).attempt(demote, { id })
  return [answer.status, answer.ok ? null : answer.code]
}

test('200 a superadmin becomes an ordinary user with the next call, and the log says who did it', async () => {
  const user = await service.addUser({ superadmin: true })
  assert.equal((await service.client(user.token).attempt(templates)).status, 200)
  const { status, text } = await sender(service, superadmin.token, demote)('', { id: user.id })
  assert.equal(status, 200, text)
  assert.equal((await service.client(user.token).attempt(templates)).status, 403)
  const { entries } = await client.call('/services/identity/v1/audit/list', { kind: 'user.demoted' })
  assert.deepEqual(
    entries.map(({ actor_id, account_id }) => [actor_id, account_id]),
    [[superadmin.id, user.id]],
  )
})

test('the owner of their default project does not read that they were a superadmin', async () => {
  const projectId = await service.addProject()
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  const user = await service.addUser({ superadmin: true })
  await sql`update users set default_project_id = ${projectId} where id = ${user.id}`
  assert.deepEqual(await codeOf(superadmin.token, user.id), [200, null])
  await service.client().attempt('/v1/authenticate', { email: user.email, password: 'wrong' })
  const { entries } = await service.client(owner.token).call('/services/identity/v1/audit/list')
  assert.deepEqual(
    entries.filter(({ account_id }) => account_id === user.id),
    [],
  )
})

test('403 if the password was entered more than 15 minutes ago', async () => {
  const late = await service.addUser({ superadmin: true })
  const user = await service.addUser({ superadmin: true })
  await sql`update sessions set password_at = now() - interval '15 minutes' where user_id = ${late.id}`
  assert.deepEqual(await codeOf(late.token, user.id), [403, 'password_confirmation_required'])
  assert.equal((await service.client(user.token).attempt(templates)).status, 200)
  for (const { id } of [late, user]) assert.deepEqual(await codeOf(superadmin.token, id), [200, null])
})

test('404 for an ordinary user; superadmins of one platform reach only those of theirs', async () => {
  const ordinary = await service.addUser()
  const ofHome = await service.addUser({ superadmin: true, platformId: home?.id as number })
  const ofOther = await service.addUser({ superadmin: true, platformId: other?.id as number })
  assert.deepEqual(await codeOf(superadmin.token, ordinary.id), [404, 'superadmin_not_found'])
  for (const { id } of [superadmin, ofHome])
    assert.deepEqual(await codeOf(ofOther.token, id), [404, 'superadmin_not_found'])
  assert.deepEqual(await codeOf(superadmin.token, ofHome.id), [200, null])
  assert.deepEqual(await codeOf(ofOther.token, ofOther.id), [200, null])
})

test('400 for the last superadmin of all platforms, also if two demote each other at once', async () => {
  assert.deepEqual(await codeOf(superadmin.token, superadmin.id), [400, 'last_superadmin'])
  const second = await service.addUser({ superadmin: true })
  const outcomes = await Promise.all([
    codeOf(superadmin.token, second.id),
    codeOf(second.token, superadmin.id),
  ])
  assert.equal(outcomes.filter(([status]) => status === 200).length, 1)
})
