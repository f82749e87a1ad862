import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { addPlatform } from '#projects/platform.ts'
import { createMaster } from '#tests/master.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

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
