import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTheme, type Stage } from '#tests/themes.ts'

const versions = '/services/websites/v1/themes/versions'
const service = await startTestService()
const stages: Stage[] = ['draft', 'pending', 'rejected', 'approved', 'published', 'deprecated']

/** A theme with one version in each stage. */
async function everyStage() {
  const fixture = await createTheme(service)
  const ids = {} as Record<Stage, number>
  for (const stage of stages) ids[stage] = await fixture.addVersion(stage)
  return { ...fixture, ids }
}

test('200 list: the records of the project, the newest first, as get shows them; viewers may', async () => {
  const { members, ids } = await everyStage()
  await everyStage()
  const viewer = service.client(members.viewer.token)
  const listed = (await viewer.call(`${versions}/list`)).versions
  assert.deepEqual(
    listed.map(({ version_id: id }) => id),
    Object.values(ids).reverse(),
  )
  for (const version of listed)
    assert.deepEqual(
      (await viewer.call(`${versions}/get`, { version_id: version.version_id })).version,
      version,
    )
})

test('200 list with filters, alone and together', async () => {
  const { admin, ids } = await everyStage()
  const found = async (filters: object) =>
    (await admin.call(`${versions}/list`, filters)).versions.map(({ version_id: id }) => id).reverse()
  assert.deepEqual(await found({ theme_status: 'draft' }), [
    ids.draft,
    ids.pending,
    ids.rejected,
    ids.approved,
  ])
  assert.deepEqual(await found({ theme_status: 'published' }), [ids.published])
  assert.deepEqual(await found({ approval_status: 'pending' }), [ids.pending])
  assert.deepEqual(await found({ approval_status: 'approved' }), [
    ids.approved,
    ids.published,
    ids.deprecated,
  ])
  assert.deepEqual(await found({ theme_status: 'draft', approval_status: 'approved' }), [ids.approved])
  assert.deepEqual(await found({ theme_status: 'published', approval_status: 'rejected' }), [])
  assert.deepEqual((await found({ theme_status: null, approval_status: null })).length, stages.length)
})

test('422 list for other statuses and cursors', async () => {
  const { admin } = await createTheme(service)
  const input = { theme_status: 'approved', approval_status: 'draft' } as object
  const refused = await admin.attempt(`${versions}/list`, input)
  assert.ok(!refused.ok && refused.status === 422)
  assert.deepEqual(refused.errors, {
    theme_status: ['The selected theme status is invalid.'],
    approval_status: ['The selected approval status is invalid.'],
  })
  assert.equal((await admin.attempt(`${versions}/list`, { cursor: '-1' })).status, 422)
})

test('200 list for superadmins: of the project alone where they ask for it, and with its name', async () => {
  const { reviewer, projectId, ids } = await everyStage()
  await everyStage()
  const here = service.client(reviewer.token, { 'x-project-id': String(projectId) })
  const listed = (await here.call(`${versions}/list`, { is_of_project: true })).versions
  assert.deepEqual(
    listed.map(({ version_id: id }) => id),
    Object.values(ids).reverse(),
  )
  assert.equal(listed[0]?.project_name, 'Project')
})

test('200 list for superadmins: the versions of all projects, page by page', async () => {
  const { superadmin, ids } = await everyStage()
  const other = await everyStage()
  const seen: number[] = []
  const page = (cursor: string | null) => superadmin.call(`${versions}/list`, { limit: 5, cursor })
  let cursor: string | null = null
  do {
    const { versions: listed, next_cursor }: Awaited<ReturnType<typeof page>> = await page(cursor)
    assert.ok(listed.length <= 5)
    seen.push(...listed.map(({ version_id: id }) => id))
    cursor = next_cursor
  } while (cursor !== null)
  assert.deepEqual(
    seen,
    [...new Set(seen)].sort((a, b) => b - a),
  )
  for (const id of [...Object.values(ids), ...Object.values(other.ids)]) assert.ok(seen.includes(id))
})

test('404 get for an unknown id; 403 for the version of another project, published or not', async () => {
  const { members } = await createTheme(service)
  const other = await everyStage()
  const owner = service.client(members.owner.token)
  const status = async (version_id: number) => (await owner.attempt(`${versions}/get`, { version_id })).status
  assert.equal(await status(2 ** 53 - 1), 404)
  for (const id of Object.values(other.ids)) assert.equal(await status(id), 403)
})

test('200 browse: what any project has published, without the people behind it, and nothing else', async () => {
  const { ids, projectId, themeId } = await everyStage()
  const stranger = await service.addProject()
  const { token } = await service.addUser({ roles: { [stranger]: 'viewer' } })
  const viewer = service.client(token)
  const first = await viewer.call(`${versions}/browse`, { limit: 1 })
  assert.deepEqual(first.versions, [
    {
      version_id: ids.published,
      project_id: projectId,
      theme_id: themeId,
      theme_name: 'Aurora',
      version: '5.0',
      theme_status: 'published',
      published_at: first.versions[0]?.published_at,
    },
  ])
  const rest = await viewer.call(`${versions}/browse`, { limit: 200, cursor: first.next_cursor })
  assert.ok(rest.versions.length > 0)
  assert.ok(rest.versions.every((version) => version.theme_status === 'published'))
  assert.ok(rest.versions.every((version) => version.version_id < ids.published))
})

test('browse shows nothing of another platform, nor of a project that is deleted', async () => {
  const { ids, projectId, admin } = await everyStage()
  const other = await everyStage()
  const sees = async () => {
    const { versions: offered } = await admin.call(`${versions}/browse`, { limit: 200 })
    return offered.some(({ version_id: id }) => id === other.ids.published)
  }
  assert.equal(await sees(), true)
  const { sql } = service.db
  const [platform] = await sql<{ id: number }[]>`insert into platforms (name) values ('Other') returning id`
  const home = sql`(select platform_id from projects where id = ${projectId})`
  await sql`update projects set platform_id = ${platform?.id as number} where id = ${other.projectId}`
  assert.equal(await sees(), false)
  await sql`update projects set platform_id = ${home}, deleted_at = now() where id = ${other.projectId}`
  assert.equal(await sees(), false)
  const { versions: offered } = await admin.call(`${versions}/browse`)
  assert.equal(offered[0]?.version_id, ids.published)
})

test('422 browse for an invalid cursor; 403 for users without a project', async () => {
  const { admin } = await createTheme(service)
  assert.equal((await admin.attempt(`${versions}/browse`, { cursor: 'x' })).status, 422)
  const { token } = await service.addUser()
  assert.equal((await service.client(token).attempt(`${versions}/browse`)).status, 403)
})
