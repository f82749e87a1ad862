import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { catchUpFigures } from '#fleet/follower.ts'
import { addPlatform } from '#projects/platform.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService({ figures: false })
const { sql } = service.db
const admin = '/services/operations/v1/admin'
const base = `${admin}/audiences` as const
const superadmin = await service.addUser({ superadmin: true })
const client = service.client(superadmin.token)

const count = (...ids: number[]) => service.db.transaction((queries) => countProjects(queries, ids))

async function addProject(name: string, toolKeys: string[] = []) {
  const id = await service.addProject(name, toolKeys)
  await count(id)
  return id
}

const namesOf = async (filter: object) =>
  (await client.call(`${admin}/projects/list`, filter)).projects.map(({ name }) => name)

const refusalOf = async (operation: string, input: object) => {
  const { status, headers } = await post(service, `${base}/${operation}`, superadmin.token, input)
  return [status, headers.get('x-error-code')]
}

test('201, 200 an audience is saved, counted as projects change, renamed, narrowed, widened and deleted', async () => {
  const ids = [await addProject('Pilot one'), await addProject('Pilot two')]
  await client.call(`${admin}/projects/label`, { ids, add: ['pilot'] })
  const { audience } = await client.call(`${base}/create`, { name: 'Pilots', label: 'Pilot' })
  assert.deepEqual(
    [audience.name, audience.label, audience.plan, audience.project_ids, audience.created_by],
    ['Pilots', 'Pilot', null, null, superadmin.id],
  )
  const countNow = async () => (await client.call(`${base}/get`, { id: audience.id })).projects_count
  assert.equal(await countNow(), 2)
  const third = await addProject('Pilot three')
  await client.call(`${admin}/projects/label`, { ids: [third], add: ['pilot'] })
  assert.equal(await countNow(), 3)
  const { audience: narrow } = await client.call(`${base}/update`, {
    id: audience.id,
    name: 'Early pilots',
    project_ids: ids,
  })
  assert.deepEqual([narrow.name, narrow.label, narrow.project_ids], ['Early pilots', 'Pilot', ids])
  assert.equal(await countNow(), 2)
  await client.call(`${base}/update`, { id: audience.id, project_ids: null, query: 'three' })
  const { audience: read, projects_count } = await client.call(`${base}/get`, { id: audience.id })
  assert.deepEqual([read.project_ids, read.query, projects_count], [null, 'three', 1])
  const { audience: first } = await client.call(`${base}/create`, { name: 'all of them' })
  const { audiences } = await client.call(`${base}/list`)
  assert.deepEqual(
    audiences.map(({ name }) => name),
    ['all of them', 'Early pilots'],
  )
  await sql`update projects set deleted_at = now() where id = ${third}`
  await count(third)
  assert.equal(await countNow(), 0)
  for (const { id } of [audience, first]) await client.call(`${base}/delete`, { id })
  assert.deepEqual((await client.call(`${base}/list`)).audiences, [])
  for (const operation of ['get', 'update', 'delete'])
    assert.deepEqual(await refusalOf(operation, { id: audience.id }), [404, 'audience_not_found'])
})

test('422 for a name that is taken, and for things that are not there or of another platform', async () => {
  const { audience } = await client.call(`${base}/create`, { name: 'Taken', platform_id: 1 })
  const { audience: other } = await client.call(`${base}/create`, { name: 'Other', platform_id: 1 })
  assert.deepEqual(await refusalOf('create', { name: 'TAKEN', platform_id: 1 }), [422, 'name_taken'])
  assert.deepEqual(await refusalOf('update', { id: other.id, name: 'taken' }), [422, 'name_taken'])
  const platformId = (await addPlatform(service.db, 'Elsewhere')) as number
  const foreign = await service.addProject('Foreign', [], platformId)
  const master = await createMaster(service, { projects: 0, cards: 1, platformId })
  for (const [input, code] of [
    [{ project_ids: [foreign] }, 'project_ids_not_found'],
    [{ template_id: master.boardId }, 'template_id_not_found'],
    [{ version_id: 99_999 }, 'version_id_not_found'],
    [{ template_version: 3 }, 'template_version_not_found'],
  ] as const) {
    assert.deepEqual(await refusalOf('create', { name: 'New', platform_id: 1, ...input }), [422, code])
    assert.deepEqual(await refusalOf('update', { id: audience.id, ...input }), [422, code])
  }
  const { audience: theirs } = await client.call(`${base}/create`, {
    name: 'Taken',
    platform_id: platformId,
    project_ids: [foreign],
    template_id: master.boardId,
  })
  const stranger = await service.addUser({ superadmin: true, platformId: 1 })
  assert.equal((await post(service, `${base}/get`, stranger.token, { id: theirs.id })).status, 403)
  const own = (await service.client(stranger.token).call(`${base}/list`)).audiences
  assert.deepEqual(
    own.map(({ id }) => id),
    [other.id, audience.id],
  )
  // What was there when it was saved does not stand in the way of a new name.
  await sql`update projects set deleted_at = now() where id = ${foreign}`
  await client.call(`${base}/update`, { id: theirs.id, name: 'Renamed' })
  await sql`delete from audiences`
})

test('400 at most 200 audiences for a platform', async () => {
  await sql`insert into audiences (platform_id, name, filter) select 1, 'Many ' || number, '{}' from generate_series(1, 199) number`
  await client.call(`${base}/create`, { name: 'Last', platform_id: 1 })
  assert.deepEqual(await refusalOf('create', { name: 'Over', platform_id: 1 }), [400, 'too_many_audiences'])
  await sql`delete from audiences`
})

test('200 projects are found by days since their creation and activity, and by hand', async () => {
  const [old, fresh] = [await addProject('Days old'), await addProject('Days fresh')]
  await sql`
    update project_figures set created_at = now() - interval '40 days', active_at = now() - interval '20 days' where project_id = ${old}`
  await sql`update project_figures set active_at = created_at + interval '1 second' where project_id = ${fresh}`
  const query = 'days '
  assert.deepEqual(await namesOf({ query, created_within_days: 30 }), ['Days fresh'])
  assert.deepEqual(await namesOf({ query, created_within_days: 41 }), ['Days fresh', 'Days old'])
  assert.deepEqual(await namesOf({ query, active_within_days: 7 }), ['Days fresh'])
  assert.deepEqual(await namesOf({ query, inactive_for_days: 14 }), ['Days old'])
  assert.deepEqual(await namesOf({ query, inactive_for_days: 21 }), [])
  assert.deepEqual(await namesOf({ project_ids: [old, fresh] }), ['Days fresh', 'Days old'])
  assert.deepEqual(await namesOf({ project_ids: [old], active_within_days: 7 }), [])
})

test('200 projects are found by the version of a template that they have, lack or are behind', async () => {
  const master = await createMaster(service, { projects: 2, cards: 1, platformId: 1 })
  const [first, second] = master.projects.map(({ id }) => id) as [number, number]
  await sql`update projects set name = 'Version ' || case when id = ${first} then 'A' else 'B' end where id in (${first}, ${second})`
  await master.sync()
  const third = await service.addProject('Version C')
  await count(first, second, third)
  const template = { template_id: master.boardId, query: 'version ' }
  assert.deepEqual(await namesOf(template), ['Version A', 'Version B'])
  assert.deepEqual(await namesOf({ ...template, template_state: 'missing' }), [])
  const late = await service.addProject('Version D', [master.toolKey])
  await sql`delete from cards where project_id = ${late}`
  await sql`delete from groups where project_id = ${late}`
  await sql`delete from boards where project_id = ${late}`
  await count(late)
  const elsewhere = (await addPlatform(service.db, 'Elsewhere with versions')) as number
  await count(await service.addProject('Version E', [master.toolKey], elsewhere))
  assert.deepEqual(await namesOf({ ...template, template_state: 'missing' }), ['Version D'])
  assert.deepEqual(await namesOf({ ...template, template_id: 99_999, template_state: 'missing' }), [])
  // Only one of them receives the next version.
  await client.call(`${admin}/master-cards/update`, { id: master.cardIds[0] as number, title: 'Second' })
  await master.publish()
  const [newest] = await sql<{ revision: number }[]>`
    select max(revision) as revision from template_versions where board_id = ${master.boardId}`
  await sql`update boards set version_revision = ${newest?.revision as number} where project_id = ${first}`
  // Without an event, the job finds it.
  await catchUpFigures(service.db, { signal: new AbortController().signal })
  assert.deepEqual(await namesOf(template), ['Version A'])
  assert.deepEqual(await namesOf({ ...template, template_version: 1 }), ['Version A', 'Version B'])
  assert.deepEqual(await namesOf({ ...template, template_state: 'older' }), ['Version B'])
  assert.deepEqual(await namesOf({ ...template, template_state: 'behind' }), ['Version B', 'Version D'])
  assert.deepEqual(await namesOf({ ...template, template_state: 'behind', template_version: 1 }), [
    'Version D',
  ])
  const { project } = await client.call(`${admin}/projects/get`, { id: second })
  assert.deepEqual(
    project.templates.map(({ id, version }) => [id, version]),
    [[master.boardId, 1]],
  )
  await sql`update boards set deleted_at = now() where project_id = ${second}`
  await count(second)
  assert.deepEqual(await namesOf({ ...template, template_state: 'older' }), [])
})
