import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'

const path = '/services/identity/v1/users/me'
const service = await startTestService()
const acme = await service.addProject('Acme', ['website', 'shop'])
const blue = await service.addProject('Blue')
const user = await service.addUser({ roles: { [acme]: 'member', [blue]: 'owner' } })

test('200 with the user, all memberships and the default project', async () => {
  const me = await service.client(user.token).call(path)
  assert.deepEqual(me, {
    user: {
      id: user.id,
      name: 'User 1',
      email: user.email,
      language: null,
      superadmin: false,
      superadmin_billing: false,
      superadmin_platform_id: null,
      enable_ai: false,
      second_factor: false,
      has_password: true,
      second_factor_needed: false,
      recovery_codes_left: null,
      wrong_codes: null,
      time_zone: null,
      photo_url: null,
    },
    memberships: [
      { project_id: acme, project_name: 'Acme', role: 'member' },
      { project_id: blue, project_name: 'Blue', role: 'owner' },
    ],
    current_project: {
      id: acme,
      name: 'Acme',
      role: 'member',
      tool_keys: ['shop', 'website'],
      platform_id: 1,
      website_url: null,
      language: null,
      time_zone: null,
      archived_at: null,
      support_visit: null,
      tour: null,
    },
  })
})

test('200 with the project of X-Project-Id', async () => {
  const me = await service.client(user.token, { 'x-project-id': String(blue) }).call(path)
  assert.deepEqual(me.current_project, {
    id: blue,
    name: 'Blue',
    role: 'owner',
    tool_keys: [],
    platform_id: 1,
    website_url: null,
    language: null,
    time_zone: null,
    archived_at: null,
    support_visit: null,
    tour: null,
  })
})

test('200 with no current project for a user who belongs to none', async () => {
  const { token } = await service.addUser()
  assert.equal((await service.client(token).call(path)).current_project, null)
})

test('200 as superadmin in a project without being a member', async () => {
  const { token } = await service.addUser({ superadmin: true })
  const me = await service.client(token, { 'x-project-id': String(blue) }).call(path)
  assert.equal(me.current_project?.role, 'superadmin')
})

test('403 for the project of others, for one that does not exist and for a deleted one', async () => {
  const other = await service.addProject('Other')
  const deleted = await service.addProject('Deleted')
  const { token } = await service.addUser({ roles: { [acme]: 'viewer', [deleted]: 'owner' } })
  await service.db.sql`update projects set deleted_at = now() where id = ${deleted}`
  for (const id of [other, deleted, 999_999_999]) {
    const result = await service.client(token, { 'x-project-id': String(id) }).attempt(path)
    assert.equal(result.status, 403, String(id))
  }
})

test('422 for an X-Project-Id that is no number', async () => {
  for (const id of ['x', '-1', '1.5', '1e3', '99999999999999999999', "1' or '1'='1"]) {
    const result = await service.client(user.token, { 'x-project-id': id }).attempt(path)
    assert.equal(result.status, 422, id)
    assert.deepEqual(result.ok ? {} : result.errors, {
      'x-project-id': ['The x-project-id field must be an integer.'],
    })
  }
})

test('a role that changes is seen by the next call', async () => {
  const { id, token } = await service.addUser({ roles: { [acme]: 'viewer' } })
  const client = service.client(token)
  assert.equal((await client.call(path)).current_project?.role, 'viewer')
  await service.db.sql`update memberships set role = 'admin' where user_id = ${id}`
  assert.equal((await client.call(path)).current_project?.role, 'admin')
})

test('200 with 200 memberships at most', async () => {
  const many = await service.addUser()
  await service.db.sql`
    with made as (
      insert into projects (platform_id, name)
      select (select min(id) from platforms), 'Many ' || number from generate_series(1, 210) number returning id
    ) insert into memberships (project_id, user_id, role) select id, ${many.id}, 'viewer' from made`
  assert.equal((await service.client(many.token).call(path)).memberships.length, 200)
})
