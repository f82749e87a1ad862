import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { addPlatform } from '#projects/platform.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const service = await startTestService({ figures: false })
const admin = '/services/operations/v1/admin'

test('201 a rollout is planned for the projects that match an audience then, and reaches only these', async () => {
  const master = await createMaster(service, { projects: 3, cards: 1 })
  await master.publish()
  const ids = master.projects.map(({ id }) => id)
  const count = () => service.db.transaction((queries) => countProjects(queries, ids))
  await count()
  const { audience } = await master.admin.call(`${admin}/audiences/create`, {
    name: 'Pilots',
    label: 'pilot',
  })
  const wanted = { board_id: master.boardId, audience_id: audience.id }
  const empty = await master.admin.attempt(`${admin}/rollouts/plan`, wanted)
  assert.deepEqual(empty.ok ? empty.data : [empty.status, empty.code], [422, 'audience_id_empty'])
  await master.admin.call(`${admin}/projects/label`, { ids: ids.slice(0, 2), add: ['pilot'] })
  const picked = { ...wanted, project_ids: ids.slice(1) }
  const { rollout: larger } = await master.admin.call(`${admin}/rollouts/plan`, picked)
  assert.equal(larger.counts.projects, 3)
  const { rollout } = await master.admin.call(`${admin}/rollouts/plan`, wanted)
  // Who matches later is not a part of it.
  await master.admin.call(`${admin}/projects/label`, { ids: ids.slice(2), add: ['pilot'] })
  await eventually(async () => {
    const { rollout: now } = await master.admin.call(`${admin}/rollouts/get`, { id: rollout.id })
    assert.equal(now.status, 'planned')
  })
  await master.admin.call(`${admin}/rollouts/apply`, { id: rollout.id })
  await eventually(async () => {
    const { rollout: now, results } = await master.admin.call(`${admin}/rollouts/get`, { id: rollout.id })
    assert.equal(now.status, 'done')
    assert.deepEqual(
      results.map(({ project_id, outcome }) => [project_id, outcome]),
      ids.slice(0, 2).map((id) => [id, 'changed']),
    )
  })
})

test('422 for an audience that is not there or of another platform', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  await master.publish()
  const platform_id = (await addPlatform(service.db, 'Elsewhere')) as number
  const { audience } = await master.admin.call(`${admin}/audiences/create`, { name: 'Theirs', platform_id })
  for (const audience_id of [audience.id, 99_999]) {
    const input = { board_id: master.boardId, audience_id }
    const refused = await master.admin.attempt(`${admin}/rollouts/plan`, input)
    assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [
      422,
      'audience_id_not_found',
    ])
  }
})

test('201 a rollout is planned for the projects that match a filter, and a stage for those of an audience, however many', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  await master.publish()
  const ids = await addProjects(service.db, 1_200, [master.toolKey])
  await service.db.transaction((queries) => countProjects(queries, ids))
  await service.db
    .sql`update project_figures set labels = '{early}' where project_id = any(${ids.slice(0, 1_100)}::bigint[])`
  const { audience } = await master.admin.call(`${admin}/audiences/create`, {
    name: 'Early',
    label: 'early',
    platform_id: 1,
  })
  const { audience: nobody } = await master.admin.call(`${admin}/audiences/create`, {
    name: 'Nobody',
    platform_id: 1,
    label: 'nobody',
  })
  const plan = (input: object) =>
    post<{ rollout: { id: number } }>(service, `${admin}/rollouts/plan`, master.superadmin.token, {
      board_id: master.boardId,
      ...input,
    })
  const codeOf = async (input: object) => {
    const { status, headers } = await plan(input)
    return [status, headers.get('x-error-code')]
  }
  const filters = [{ tool_key: master.toolKey, created_within_days: 1 }]
  assert.deepEqual(await codeOf({ filters: [{ label: 'nobody' }] }), [422, 'filters_empty'])
  assert.deepEqual(await codeOf({ filters: [{ label: 5 }] }), [422, 'filters_label_not_a_string'])
  assert.deepEqual(await codeOf({ stages: [{ audience_id: nobody.id }, {}] }), [422, 'stages_empty'])
  assert.deepEqual(await codeOf({ stages: [{ audience_id: 99_999 }, {}] }), [422, 'stages_not_found'])
  const { status, body } = await plan({
    filters,
    stages: [{ audience_id: audience.id, wait_minutes: 5 }, {}],
  })
  assert.equal(status, 201)
  const { id } = body.data.rollout
  const planned = await eventually(async () => {
    const { rollout } = await master.admin.call(`${admin}/rollouts/get`, { id })
    assert.equal(rollout.status, 'planned')
    return rollout
  })
  assert.deepEqual(
    planned.stages.map(({ audience_name, projects, wait_minutes }) => [
      audience_name,
      projects,
      wait_minutes,
    ]),
    [
      ['Early', 1_100, 5],
      [null, 100, null],
    ],
  )
  await master.admin.call(`${admin}/rollouts/discard`, { id })
})

test('201 a stage of a revert has those of its audience that the rollout changed, and 422 for an audience of nobody', async () => {
  const master = await createMaster(service, { projects: 3, cards: 1 })
  await master.sync()
  const ids = master.projects.map((project) => project.id)
  const other = await service.addProject('Unreached')
  const { audience } = await master.admin.call(`${admin}/audiences/create`, {
    name: 'Two of three',
    platform_id: 1,
    project_ids: [other, ...ids.slice(0, 2)],
  })
  await service.db.transaction((queries) => countProjects(queries, [other, ...ids]))
  const { rollouts } = await master.admin.call(`${admin}/rollouts/list`, {
    board_id: master.boardId,
    limit: 1,
  })
  const { audience: nobody } = await master.admin.call(`${admin}/audiences/create`, {
    name: 'Nobody yet',
    platform_id: 1,
    label: 'nobody',
  })
  const revert = (audience_id: number) => ({
    id: rollouts[0]?.id as number,
    stages: [{ audience_id }, {}],
  })
  const refused = await master.admin.attempt(`${admin}/rollouts/revert`, revert(nobody.id))
  assert.deepEqual(refused.ok ? refused.data : [refused.status, refused.code], [422, 'stages_empty'])
  const { rollout } = await master.admin.call(`${admin}/rollouts/revert`, revert(audience.id))
  assert.deepEqual(
    rollout.stages.map(({ projects }) => projects),
    [2, 1],
  )
})
