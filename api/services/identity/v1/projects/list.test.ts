import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'

const service = await startTestService()
const path = '/services/identity/v1/projects/list'

test('200 members see their own projects with their role, superadmins all of them', async () => {
  const own = await service.addProject('Own')
  const other = await service.addProject('Other')
  const member = service.client((await service.addUser({ roles: { [own]: 'member' } })).token)
  const superadmin = service.client((await service.addUser({ superadmin: true })).token)
  assert.deepEqual((await member.call(path)).projects, [
    {
      ...{ id: own, platform_id: 1, name: 'Own', role: 'member' },
      ...{ website_url: null, language: null, time_zone: null, archived_at: null },
    },
  ])
  const all = (await superadmin.call(path)).projects
  assert.deepEqual(
    [own, other].map((id) => all.find((project) => project.id === id)?.role),
    [null, null],
  )
})

test('200 without the projects that theme versions are, since nobody can open them', async () => {
  const { superadmin, addVersion } = await createTheme(service)
  const versionId = await addVersion()
  const { projects } = await superadmin.call(path, { limit: 200 })
  assert.ok(projects.length > 0)
  assert.ok(projects.every(({ id }) => id !== versionId))
})

test('200 by a part of the name, whatever its case, a page at a time', async () => {
  for (const name of ['Garden North', 'garden south', '100 % Garden']) await service.addProject(name)
  await service.addProject('Quarry')
  const client = service.client((await service.addUser({ superadmin: true })).token)
  const first = await client.call(path, { query: 'GARDEN', limit: 2 })
  const rest = await client.call(path, { query: 'GARDEN', limit: 2, cursor: first.next_cursor })
  const names = [...first.projects, ...rest.projects].map(({ name }) => name)
  assert.deepEqual(names, ['Garden North', 'garden south', '100 % Garden'])
  assert.equal(rest.next_cursor, null)
  assert.deepEqual(
    (await client.call(path, { query: '%' })).projects.map(({ name }) => name),
    ['100 % Garden'],
  )
})

test('422 a cursor that is none', async () => {
  const client = service.client((await service.addUser()).token)
  assert.equal((await client.attempt(path, { cursor: 'x' })).status, 422)
})
