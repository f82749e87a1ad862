// A project stops the updates of a template card, and takes them again.
import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { createBoard } from '#tests/board.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()

async function received() {
  const master = await createMaster(service, { projects: 2, cards: 3 })
  const masterId = present(master.cardIds[1])
  await master.sync()
  const [project, other] = [present(master.projects[0]), present(master.projects[1])]
  const { id } = present(await project.cardOf(masterId))
  const change = (values: object) =>
    master.admin.call(`${masters}/master-cards/update`, { id: masterId, ...values })
  return { master, masterId, project, other, id, change }
}

test('200 stop-updates: rollouts of the board and of the card leave it as it is, elsewhere they change it', async () => {
  const { master, masterId, project, other, id, change } = await received()
  const before = present(await project.cardOf(masterId))
  await project.client.call(`${operations}/cards/stop-updates`, { id })
  await change({ title: 'Newer', priority: 'urgent' })
  await master.publish()
  const { rollout } = await master.admin.call(`${masters}/rollouts/plan`, { board_id: master.boardId })
  await eventually(async () =>
    assert.equal(
      (await master.admin.call(`${masters}/rollouts/get`, { id: rollout.id })).rollout.status,
      'planned',
    ),
  )
  const { things } = await master.admin.call(`${masters}/rollouts/plan/get-project`, {
    ...{ id: rollout.id, project_id: project.id },
  })
  assert.deepEqual(
    things.map(({ id: thingId, change: what, reason }) => [thingId, what, reason]),
    [[masterId, 'skipped', 'updates_stopped']],
  )
  await master.sync()
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  const { results } = await master.admin.call(`${masters}/rollouts/get`, {
    ...{ id: present(rollouts[0]).id, query: String(project.id) },
  })
  assert.deepEqual(results[0]?.skips, [{ reason: 'updates_stopped', count: 1 }])
  await change({ title: 'Newest' })
  await master.admin.call(`${masters}/master-cards/push`, { card_id: masterId })
  const after = present(await project.cardOf(masterId))
  assert.deepEqual(
    [after.title, after.priority, after.position],
    [before.title, before.priority, before.position],
  )
  assert.equal(present(await other.cardOf(masterId)).title, 'Newest')
  const { provenance } = await project.client.call(`${operations}/cards/get`, { id })
  assert.equal(provenance?.takes_updates, false)
  assert.ok((provenance?.version ?? 0) < (provenance?.newest_version ?? 0))
})

test('200 take-updates: the next rollout brings what was missed, except for customized fields', async () => {
  const { master, masterId, project, id, change } = await received()
  await project.client.call(`${operations}/cards/stop-updates`, { id })
  await change({ title: 'Newer', priority: 'urgent' })
  await master.sync()
  await project.client.call(`${operations}/cards/update`, { id, title: 'Ours' })
  await project.client.call(`${operations}/cards/take-updates`, { id })
  await master.sync()
  const card = present(await project.cardOf(masterId))
  assert.deepEqual([card.title, card.priority], ['Ours', 'urgent'])
})

/** What coverage, the filter of the list and the page of the project say of it: how many are behind, whether it is, and its version. */
async function standing({ admin, boardId }: MasterFixture, { id }: Receiver) {
  await service.db.transaction((queries) => countProjects(queries, [id]))
  const { boards } = await admin.call(`${masters}/master-boards/list`)
  const behind = await admin.call(`${masters}/projects/list`, {
    ...{ template_id: boardId, template_state: 'behind' as const, project_ids: [id] },
  })
  const { project } = await admin.call(`${masters}/projects/get`, { id })
  return [
    present(boards.find((board) => board.id === boardId)).behind_count,
    behind.projects.length,
    present(project.templates.find((template) => template.id === boardId)).version,
  ]
}

test('coverage, filters and the project page agree on a project that takes updates again', async () => {
  const { master, project, id, change } = await received()
  const take = () => project.client.call(`${operations}/cards/take-updates`, { id })
  await project.client.call(`${operations}/cards/stop-updates`, { id })
  await take()
  assert.deepEqual(await standing(master, project), [0, 0, 1], 'it missed nothing')
  await project.client.call(`${operations}/cards/stop-updates`, { id })
  await change({ title: 'Newer' })
  await master.sync()
  await change({ title: 'Newest' })
  await master.sync()
  assert.deepEqual(await standing(master, project), [0, 0, 3], 'it wants no updates')
  await take()
  assert.deepEqual(await standing(master, project), [1, 1, 1])
  await master.sync()
  assert.deepEqual(await standing(master, project), [0, 0, 3])
})

test('coverage, filters and the project page agree on a project that restores what missed a version, or missed nothing', async () => {
  const { master, project, change } = await received()
  const { id } = await master.copyIn(project)
  const again = async () => {
    await project.client.call(`${operations}/boards/restore`, { id })
    return standing(master, project)
  }
  await project.client.call(`${operations}/boards/delete`, { id })
  assert.deepEqual(await again(), [0, 0, 1], 'it missed nothing')
  await project.client.call(`${operations}/boards/delete`, { id })
  await change({ title: 'Newer' })
  await master.sync()
  assert.deepEqual(await again(), [1, 1, 1])
})

test('a deletion from all projects deletes the card all the same', async () => {
  const { master, masterId, project, id } = await received()
  await project.client.call(`${operations}/cards/stop-updates`, { id })
  await master.admin.call(`${masters}/master-cards/delete`, { id: masterId, delete_from_projects: true })
  assert.equal((await project.client.attempt(`${operations}/cards/get`, { id })).status, 404)
})

test('once each in the activity, however often; the operator sees it among the customized cards; 400 for other cards', async () => {
  const { master, project, id } = await received()
  for (const step of ['stop', 'stop', 'take', 'take', 'stop'] as const)
    await project.client.call(`${operations}/cards/${step}-updates`, { id })
  const { id: boardId } = await master.copyIn(project)
  const { activity } = await project.client.call(`${operations}/activity/list`, { board_id: boardId })
  assert.deepEqual(
    activity.map(({ kind }) => kind).filter((kind) => kind.startsWith('card.updates')),
    ['card.updates_stopped', 'card.updates_taken', 'card.updates_stopped'],
  )
  const { cards } = await master.admin.call(`${masters}/projects/list-customized`, { id: project.id })
  assert.deepEqual(
    cards.map((card) => [card.id, card.takes_updates, card.fields, card.updates_stopped?.by]),
    [[id, false, [], project.user.id]],
  )
  const own = await createBoard(service, { cards: 1 })
  for (const step of ['stop', 'take'] as const) {
    const answer = await own.member.attempt(`${operations}/cards/${step}-updates`, {
      id: present(own.cardIds[0]),
    })
    assert.equal(answer.status, 400)
  }
})
