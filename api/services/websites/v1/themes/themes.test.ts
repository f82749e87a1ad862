import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'

const themes = '/services/websites/v1/themes'
const service = await startTestService()

test('201 create: the list shows the theme with its number of versions', async () => {
  const { projectId, members, admin, addVersion, themeId } = await createTheme(service, 'First')
  const { theme } = await admin.call(`${themes}/create`, { name: ' Second ' })
  assert.deepEqual(theme, {
    id: theme.id,
    project_id: projectId,
    name: 'Second',
    versions_count: 0,
    created_by: members.admin.id,
    created_at: theme.created_at,
  })
  await addVersion()
  await addVersion('published')
  const { themes: listed, next_cursor } = await service.client(members.viewer.token).call(`${themes}/list`)
  assert.deepEqual(listed[0], theme)
  assert.deepEqual(
    listed.map(({ id, versions_count: count }) => [id, count]),
    [
      [theme.id, 0],
      [themeId, 2],
    ],
  )
  assert.equal(next_cursor, null)
  const events = await service.db.sql`
    select board_id, actor_id, data from events where project_id = ${projectId} and kind = 'theme.created' order by id`
  assert.deepEqual(events[1], {
    board_id: null,
    actor_id: members.admin.id,
    data: { theme_id: theme.id, name: 'Second' },
  })
})

test('422 create for a name that the project has, whatever its case; another project may have it', async () => {
  const { admin } = await createTheme(service, 'Aurora')
  const refused = await admin.attempt(`${themes}/create`, { name: 'aurora' })
  assert.ok(!refused.ok && refused.status === 422)
  assert.deepEqual(refused.errors, { name: ['The name has already been taken.'] })
  assert.equal((await admin.call(`${themes}/list`)).themes.length, 1)
  await createTheme(service, 'Aurora')
})

test('201 once and 422 for the others when the same name is created at the same time', async () => {
  const { admin } = await createTheme(service)
  const results = await Promise.all(
    Array.from({ length: 8 }, () => admin.attempt(`${themes}/create`, { name: 'Same' })),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)])
})

test('403 create for members; in the project of X-Project-Id only with the role there', async () => {
  const mine = await createTheme(service)
  const readOnly = await service.addProject()
  const { token } = await service.addUser({ roles: { [mine.projectId]: 'admin', [readOnly]: 'member' } })
  const status = async (projectId: unknown) => {
    const client = service.client(token, { 'x-project-id': String(projectId) })
    return (await client.attempt(`${themes}/create`, { name: 'New' })).status
  }
  assert.equal(await status(readOnly), 403)
  assert.equal(await status('mine'), 422)
  assert.equal(await status(mine.projectId), 201)
  const member = service.client(mine.members.member.token)
  assert.equal((await member.attempt(`${themes}/create`, { name: 'Newer' })).status, 403)
})

test('list comes in pages; a project sees its own themes, superadmins those of all', async () => {
  const { admin, superadmin, reviewer, projectId, themeId } = await createTheme(service)
  const other = await createTheme(service)
  const ids = [themeId]
  for (const name of ['B', 'C']) ids.unshift((await admin.call(`${themes}/create`, { name })).theme.id)
  const first = await admin.call(`${themes}/list`, { limit: 2 })
  const second = await admin.call(`${themes}/list`, { limit: 2, cursor: first.next_cursor })
  assert.equal(second.next_cursor, null)
  assert.deepEqual(
    [...first.themes, ...second.themes].map(({ id }) => id),
    ids,
  )
  const seen = (await superadmin.call(`${themes}/list`, { limit: 200 })).themes.map(({ id }) => id)
  for (const id of [...ids, other.themeId]) assert.ok(seen.includes(id))
  const here = service.client(reviewer.token, { 'x-project-id': String(projectId) })
  const narrowed = (await here.call(`${themes}/list`, { is_of_project: true })).themes.map(({ id }) => id)
  assert.deepEqual(narrowed, ids)
  assert.equal((await admin.attempt(`${themes}/list`, { cursor: 'x' })).status, 422)
})
