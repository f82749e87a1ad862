// Coverage, the filters of projects, the overview and the page of a project agree on who has the newest version of a template.
import assert from 'node:assert/strict'
import test from 'node:test'
import { recountCoverage } from '#coverage/counts.ts'
import { assertCoverageTrue } from '#tests/coverage.ts'
import { createMaster, type MasterFixture, type Receiver } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { catchUpFigures } from './follower.ts'

const admin = '/services/operations/v1/admin'
const service = await startTestService({ figures: false })
const { sql } = service.db

const idsOf = (projects: readonly { id: number }[]) => projects.map(({ id }) => id).sort((a, b) => a - b)

/** Asserts that all of them say the same, and returns it: the projects that have the newest version, are behind it or lack the template, and how many failed. */
async function standing({ admin: client, boardId }: MasterFixture) {
  await catchUpFigures(service.db, { signal: new AbortController().signal })
  await assertCoverageTrue(service.db)
  const { board } = await client.call(`${admin}/master-boards/get`, { id: boardId })
  const listed = async (template_state: 'reached' | 'older' | 'missing' | 'behind' | 'present') =>
    idsOf((await client.call(`${admin}/projects/list`, { template_id: boardId, template_state })).projects)
  const [reached, older, missing] = [await listed('reached'), await listed('older'), await listed('missing')]
  assert.equal(reached.length + older.length, board.covered_count)
  assert.equal(missing.length, board.access_count - board.covered_count)
  assert.deepEqual(
    await listed('behind'),
    [...older, ...missing].sort((a, b) => a - b),
  )
  assert.deepEqual(
    await listed('present'),
    [...reached, ...older].sort((a, b) => a - b),
  )
  const { overview } = await client.call(`${admin}/overview/get`, {})
  const there = overview.templates.find(({ id }) => id === boardId)
  assert.deepEqual([there?.projects_count, there?.access_count], [board.covered_count, board.access_count])
  const { versions } = await client.call(`${admin}/master-boards/versions/list`, { board_id: boardId })
  for (const id of [...reached, ...older]) {
    const { project } = await client.call(`${admin}/projects/get`, { id })
    const has = project.templates.find((template) => template.id === boardId)?.version
    assert.equal(has === versions[0]?.number, reached.includes(id))
  }
  const failed = board.refused_count
  // A project that failed may have the newest version all the same.
  assert.equal(reached.length, board.up_to_date_count)
  assert.equal(older.length, board.behind_count + failed)
  return { reached, older, missing, failed }
}

const none = { reached: [], older: [], missing: [], failed: 0 }

async function scene(projects: number) {
  const master = await createMaster(service, { projects, cards: 2 })
  await master.sync()
  const ids = master.projects.map(({ id }) => id)
  const [first, second] = master.cardIds as [number, number]
  const push = async (id: number, title: string) => {
    await master.admin.call(`${admin}/master-cards/update`, { id, title })
    await master.push(id)
  }
  /** Has a project refuse a title. */
  const refuse = ({ id }: Receiver, title: string) =>
    sql.unsafe(
      `alter table cards add constraint refused_${id} check (project_id <> ${id} or title <> '${title}') not valid`,
    )
  return { master, projects: master.projects as [Receiver, Receiver], ids, first, second, push, refuse }
}

test('after a rollout of one card', async () => {
  const { master, ids, first, second, push } = await scene(2)
  await push(first, 'First')
  assert.deepEqual(await standing(master), { ...none, reached: ids })
  await push(second, 'Second')
  assert.deepEqual(await standing(master), { ...none, reached: ids })
  await master.addCard({ title: 'Third', push_to_projects: true })
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})

test('after the rollout of one of two cards that a version changes, and of the other', async () => {
  const { master, ids, first, second } = await scene(2)
  for (const id of [first, second])
    await master.admin.call(`${admin}/master-cards/update`, { id, title: 'Newer' })
  await master.publish()
  await master.push(first)
  assert.deepEqual(await standing(master), { ...none, older: ids })
  await master.push(second)
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})

test('after a version that changes nothing in projects', async () => {
  const { master, ids, first } = await scene(2)
  await master.admin.call(`${admin}/master-cards/delete`, { id: first })
  await master.publish()
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})

test('after a rollout of one card that failed in a project, others that succeeded, and the whole template', async () => {
  const { master, ids, projects, first, second, push, refuse } = await scene(2)
  const [refusing] = projects
  const others = ids.slice(1)
  await refuse(refusing, 'Refused')
  await push(first, 'Refused')
  assert.deepEqual(await standing(master), { ...none, reached: others, older: [refusing.id], failed: 1 })
  await push(second, 'Second')
  assert.deepEqual(await standing(master), { ...none, reached: others, older: [refusing.id] })
  await sql.unsafe(`alter table cards drop constraint refused_${refusing.id}`)
  await master.sync()
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})

test('after a rollout of the whole template that failed in a project, and of the card', async () => {
  const { master, ids, projects, first, refuse } = await scene(2)
  const [refusing] = projects
  await refuse(refusing, 'Refused')
  await master.admin.call(`${admin}/master-cards/update`, { id: first, title: 'Refused' })
  await master.sync()
  assert.deepEqual(await standing(master), {
    ...{ ...none, reached: ids.slice(1), older: [refusing.id], failed: 1 },
  })
  await sql.unsafe(`alter table cards drop constraint refused_${refusing.id}`)
  await master.push(first)
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})

test('after a project gained another product while the template was inactive, having missed nothing or a card', async () => {
  const { master, ids, projects, first, push } = await scene(2)
  const [gaining] = projects
  const gain = async (tool_key: string) => {
    await master.admin.call(`${admin}/master-boards/update`, { id: master.boardId, is_active: false })
    await master.admin.call(`${admin}/projects/add-product`, { id: gaining.id, tool_key })
    await master.admin.call(`${admin}/master-boards/update`, { id: master.boardId, is_active: true })
    return standing(master)
  }
  assert.deepEqual(await gain('website'), { ...none, reached: ids })
  await sql`update projects set tool_keys = '[]' where id = ${gaining.id}`
  await recountCoverage(service.db)
  await push(first, 'Missed')
  assert.deepEqual(await gain(master.toolKey), { ...none, reached: ids.slice(1), older: [gaining.id] })
})

test('after a card went to all while a project was archived or deleted', async () => {
  const { master, ids, projects, first, push } = await scene(3)
  const [archived, deleted] = projects
  await master.admin.call(`${admin}/projects/archive`, { id: archived.id })
  await sql`update projects set name = 'Garden' where id = ${deleted.id}`
  const named = { id: deleted.id, name: 'Garden' }
  await master.admin.call('/services/identity/v1/projects/delete', named)
  await push(first, 'Missed')
  await master.admin.call(`${admin}/projects/unarchive`, { id: archived.id })
  await master.admin.call('/services/identity/v1/projects/restore', { id: deleted.id })
  assert.deepEqual(await standing(master), { ...none, reached: ids.slice(2), older: ids.slice(0, 2) })
  await master.sync()
  assert.deepEqual(await standing(master), { ...none, reached: ids })
  // Who missed nothing is not behind.
  await master.admin.call(`${admin}/projects/archive`, { id: archived.id })
  await master.admin.call(`${admin}/projects/unarchive`, { id: archived.id })
  assert.deepEqual(await standing(master), { ...none, reached: ids })
})
