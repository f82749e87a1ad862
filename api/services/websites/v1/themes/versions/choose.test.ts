import assert from 'node:assert/strict'
import test from 'node:test'
import { startTestService } from '#tests/service.ts'
import { createTheme } from '#tests/themes.ts'

const versions = '/services/websites/v1/themes/versions'
const service = await startTestService()

/** A customer's project with its admin, who chooses. */
async function customer(name = 'Customer') {
  const projectId = await service.addProject(name)
  const user = await service.addUser({ roles: { [projectId]: 'admin' } })
  const client = service.client(user.token)
  const choose = (version_id: number) => client.attempt(`${versions}/choose`, { version_id })
  const chosen = async () => (await client.call(`${versions}/chosen`)).version
  return { projectId, user, client, choose, chosen }
}

test('200 choose: the version of another project, which chosen and usage then show', async () => {
  const { superadmin, addVersion, projectId, themeId } = await createTheme(service)
  const id = await addVersion('published', '1.0')
  const { client, chosen, user, projectId: customerId } = await customer('Cedar')
  assert.equal(await chosen(), null)
  const { version } = await client.call(`${versions}/choose`, { version_id: id })
  assert.deepEqual(version, {
    version_id: id,
    project_id: projectId,
    theme_id: themeId,
    theme_name: 'Aurora',
    version: '1.0',
    theme_status: 'published',
    published_at: version.published_at,
  })
  assert.deepEqual(await chosen(), version)
  const usage = await superadmin.call(`${versions}/usage`, { version_id: id })
  assert.deepEqual(usage, {
    projects_count: 1,
    projects: [{ project_id: customerId, project_name: 'Cedar', chosen_at: usage.projects[0]?.chosen_at }],
    next_cursor: null,
  })
  const events = await service.db.sql`
    select board_id, actor_id, kind, data from events where project_id = ${customerId}`
  assert.deepEqual(
    [...events],
    [
      {
        board_id: null,
        actor_id: user.id,
        kind: 'theme_version.chosen',
        data: { version_id: id, theme_name: 'Aurora', version: '1.0' },
      },
    ],
  )
})

test('200 choose: another version replaces the first; the same one changes nothing', async () => {
  const { admin, addVersion } = await createTheme(service)
  const [first, second] = [await addVersion('published'), await addVersion('published')]
  const { choose, chosen, projectId } = await customer()
  await choose(first)
  assert.equal((await choose(second)).status, 200)
  assert.equal((await chosen())?.version_id, second)
  const counts = []
  for (const version_id of [first, second])
    counts.push((await admin.call(`${versions}/usage`, { version_id })).projects_count)
  assert.deepEqual(counts, [0, 1])
  const kept = () => service.db.sql`
    select c.*, (select count(*) from events e where e.project_id = c.project_id) from theme_choices c
    where project_id = ${projectId}`
  const before = await kept()
  assert.equal((await choose(second)).status, 200)
  assert.deepEqual(await kept(), before)
})

test('400 choose of a deprecated version; projects that use it keep it and may choose it again', async () => {
  const { admin, addVersion } = await createTheme(service)
  const id = await addVersion('published')
  const [user, late] = [await customer(), await customer()]
  await user.choose(id)
  await admin.call(`${versions}/deprecate`, { version_id: id })
  const refused = await late.choose(id)
  assert.deepEqual(
    [refused.status, refused.message],
    [400, 'This version is deprecated and can no longer be chosen.'],
  )
  assert.equal(await late.chosen(), null)
  assert.equal((await user.chosen())?.theme_status, 'deprecated')
  assert.equal((await user.choose(id)).status, 200)
  assert.equal((await admin.call(`${versions}/usage`, { version_id: id })).projects_count, 1)
  await admin.call(`${versions}/restore`, { version_id: id })
  assert.equal((await late.choose(id)).status, 200)
})

test('400 choose of an unpublished version of the own project; 403 of one that another has not published', async () => {
  const { admin, addVersion, projectId } = await createTheme(service)
  const stranger = await customer()
  const unpublished = await addVersion('approved')
  await admin.call(`${versions}/deprecate`, { version_id: unpublished })
  for (const stage of ['draft', 'pending', 'rejected', 'approved'] as const) {
    const id = await addVersion(stage)
    const refused = await admin.attempt(`${versions}/choose`, { version_id: id })
    assert.deepEqual([refused.status, refused.message], [400, 'This version is not published.'])
    assert.equal((await stranger.choose(id)).status, 403)
  }
  assert.equal((await admin.attempt(`${versions}/choose`, { version_id: unpublished })).status, 400)
  assert.equal((await stranger.choose(unpublished)).status, 403)
  const { sql } = service.db
  assert.equal(
    (await sql`select from theme_choices where project_id in (${projectId}, ${stranger.projectId})`).length,
    0,
  )
})

test('404 choose for an unknown version or one of a deleted project; 403 on another platform', async () => {
  const { addVersion, projectId } = await createTheme(service)
  const id = await addVersion('published')
  const { choose, projectId: customerId } = await customer()
  for (const other of [customerId, 0, -1, 2 ** 53 - 1]) assert.equal((await choose(other)).status, 404)
  const { sql } = service.db
  const [platform] = await sql<{ id: number }[]>`insert into platforms (name) values ('Other') returning id`
  const [home] = await sql<{ id: number }[]>`select platform_id as id from projects where id = ${projectId}`
  await sql`update projects set platform_id = ${platform?.id as number} where id = ${projectId}`
  assert.equal((await choose(id)).status, 403)
  await sql`update projects set platform_id = ${home?.id as number}, deleted_at = now() where id = ${projectId}`
  assert.equal((await choose(id)).status, 404)
})

test('403 choose for members, and in a project where the caller is no admin; 422 for no project', async () => {
  const { members, addVersion } = await createTheme(service)
  const id = await addVersion('published')
  const { projectId, user } = await customer()
  const member = service.client(members.member.token)
  assert.equal((await member.attempt(`${versions}/choose`, { version_id: id })).status, 403)
  const inProject = (token: string, project: unknown) =>
    service
      .client(token, { 'x-project-id': String(project) })
      .attempt(`${versions}/choose`, { version_id: id })
  assert.equal((await inProject(members.owner.token, projectId)).status, 403)
  assert.equal((await inProject(user.token, 'here')).status, 422)
  assert.equal((await inProject(user.token, projectId)).status, 200)
})

test('usage counts all and lists a page at a time; deleted projects use nothing', async () => {
  const { superadmin, addVersion } = await createTheme(service)
  const id = await addVersion('published')
  const ids: number[] = []
  for (let number = 0; number < 4; number++) {
    const { choose, projectId } = await customer()
    await choose(id)
    ids.push(projectId)
  }
  const gone = ids.pop() as number
  await service.db.sql`update projects set deleted_at = now() where id = ${gone}`
  const first = await superadmin.call(`${versions}/usage`, { version_id: id, limit: 2 })
  const second = await superadmin.call(`${versions}/usage`, {
    version_id: id,
    limit: 2,
    cursor: first.next_cursor,
  })
  assert.deepEqual([first.projects_count, second.projects_count, second.next_cursor], [3, 3, null])
  assert.deepEqual(
    [...first.projects, ...second.projects].map(({ project_id: projectId }) => projectId),
    ids,
  )
})

test('usage: 403 for members and for admins of a project that only uses it, 404 for no version, 422 for no cursor', async () => {
  const { members, addVersion, admin } = await createTheme(service)
  const id = await addVersion('published')
  const { client, choose } = await customer()
  await choose(id)
  const member = service.client(members.member.token)
  for (const refused of [client, member])
    assert.equal((await refused.attempt(`${versions}/usage`, { version_id: id })).status, 403)
  assert.equal((await admin.attempt(`${versions}/usage`, { version_id: 2 ** 53 - 1 })).status, 404)
  assert.equal((await admin.attempt(`${versions}/usage`, { version_id: id, cursor: 'x' })).status, 422)
})

test('403 chosen for members of nothing, 422 for a project that is no number', async () => {
  const { token } = await service.addUser()
  assert.equal((await service.client(token).attempt(`${versions}/chosen`)).status, 403)
  const { user } = await customer()
  const nowhere = service.client(user.token, { 'x-project-id': 'x' })
  assert.equal((await nowhere.attempt(`${versions}/chosen`)).status, 422)
})
