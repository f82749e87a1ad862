import assert from 'node:assert/strict'
import test from 'node:test'
import { countProjects } from '#fleet/counting.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService({ figures: false })
const { sql } = service.db
const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'
const base = `${admin}/customized` as const
const superadmin = await service.addUser({ superadmin: true })
const client = service.client(superadmin.token)

/** A template with two cards that three projects have received. */
async function createScene() {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  await master.sync()
  const projectIds = master.projects.map(({ id }) => id)
  const count = () => service.db.transaction((queries) => countProjects(queries, projectIds))
  const copyOf = async (project: number, card: number) => {
    const [copy] = await sql<{ id: number }[]>`
      select id from cards where project_id = ${projectIds[project] as number} and master_card_id = ${master.cardIds[card] as number}`
    return copy?.id as number
  }
  const change = async (project: number, card: number, values: { title?: string; is_active?: boolean }) =>
    client.call(`${area}/cards/update`, { id: await copyOf(project, card), ...values })
  const read = async () =>
    (await client.call(`${base}/get`, { board_id: master.boardId })).customized.cards.map(
      ({ id, projects_count, fields }) => [
        id,
        projects_count,
        fields.map(({ field, projects_count: inProjects }) => `${field} ${inProjects}`),
      ],
    )
  await count()
  return { ...master, projectIds, count, copyOf, change, read }
}

test('200 the fields that projects have customized are counted, until they have the template’s value again', async () => {
  const { cardIds, projectIds, change, count, read, copyOf } = await createScene()
  assert.deepEqual(await read(), [])
  await change(0, 0, { title: 'Own' })
  await change(1, 0, { title: 'Other' })
  await change(1, 0, { is_active: false })
  await client.call(`${area}/cards/move`, { id: await copyOf(2, 1), position: 1 })
  await count()
  assert.deepEqual(await read(), [
    [cardIds[0], 2, ['title 2', 'is_active 1']],
    [cardIds[1], 1, ['place 1']],
  ])
  await change(0, 0, { title: 'Card 1' })
  await client.call(`${area}/cards/delete`, { id: await copyOf(1, 0) })
  await client.call(`${area}/cards/stop-updates`, { id: await copyOf(0, 1) })
  await count()
  assert.deepEqual(await read(), [[cardIds[1], 2, ['place 1', 'takes_updates 1']]])
  const stopped = await client.call(`${base}/list-projects`, {
    card_id: cardIds[1] as number,
    field: 'takes_updates',
  })
  assert.deepEqual(
    stopped.projects.map(({ id, value, updates_stopped: by }) => [id, value, by?.by, by?.by_name]),
    [[projectIds[0], null, superadmin.id, 'User 1']],
  )
  const moved = await client.call(`${base}/list-projects`, { card_id: cardIds[1] as number, field: 'place' })
  assert.deepEqual(
    moved.projects.map(({ updates_stopped: by }) => by),
    [null],
  )
})

test('200 projects are listed with both values, a page at a time, and only as long as they differ', async () => {
  const { boardId, cardIds, projectIds, change, count, copyOf } = await createScene()
  const card_id = cardIds[0] as number
  for (const project of [0, 1, 2]) await change(project, 0, { title: `Own ${project}` })
  await change(2, 0, { is_active: false })
  await count()
  const first = await client.call(`${base}/list-projects`, { card_id, field: 'title', limit: 2 })
  assert.deepEqual(
    first.projects.map(({ id, card_id, value, template_value }) => [id, card_id, value, template_value]),
    [
      [projectIds[0], await copyOf(0, 0), 'Own 0', 'Card 1'],
      [projectIds[1], await copyOf(1, 0), 'Own 1', 'Card 1'],
    ],
  )
  const rest = await client.call(`${base}/list-projects`, {
    card_id,
    field: 'title',
    limit: 2,
    cursor: first.next_cursor,
  })
  assert.deepEqual([rest.projects.map(({ id }) => id), rest.next_cursor], [[projectIds[2]], null])
  const hidden = await client.call(`${base}/list-projects`, { card_id, field: 'is_active' })
  assert.deepEqual(
    hidden.projects.map(({ id, value, template_value }) => [id, value, template_value]),
    [[projectIds[2], null, null]],
  )
  // It is counted later, and no longer listed at once.
  await change(0, 0, { title: 'Card 1' })
  const now = await client.call(`${base}/list-projects`, { card_id, field: 'title' })
  assert.deepEqual(
    now.projects.map(({ id }) => id),
    projectIds.slice(1),
  )
  await client.call(`${admin}/master-cards/delete`, { id: card_id })
  assert.deepEqual(await client.call(`${base}/list-projects`, { card_id, field: 'title' }), now)
  await client.call(`${admin}/master-boards/publish`, { id: boardId })
  const input = { card_id, field: 'title' }
  assert.equal((await post(service, `${base}/list-projects`, superadmin.token, input)).status, 404)
})

test('404, 422 for what does not exist', async () => {
  const { cardIds } = await createScene()
  const asked = async (operation: string, input: object) =>
    (await post(service, `${base}/${operation}`, superadmin.token, input)).status
  assert.equal(await asked('get', { board_id: 99_999 }), 404)
  assert.equal(await asked('list-projects', { card_id: 99_999, field: 'title' }), 404)
  assert.equal(await asked('list-projects', { card_id: cardIds[0], field: 'status' }), 422)
  assert.equal(await asked('list-projects', { card_id: cardIds[0], field: 'title', cursor: 'x' }), 422)
})
