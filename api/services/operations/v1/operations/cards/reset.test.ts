// Cards that came from a template: what a project made its own, and how it takes the template's value back.

import assert from 'node:assert/strict'
import test from 'node:test'
import { change } from '#events/change.ts'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const reset = `${operations}/cards/reset`
const service = await startTestService()
const { sql } = service.db
const own = await createBoard(service, { cards: 1 })

const fields = {
  title: 'Template',
  description: 'template',
  short_description: 'template',
  priority: 'high',
  evaluation_check: 'template',
  tour_key: 'template',
} as const

/** A project with a card from a template that has a value in every field. */
async function received({ projects = 1 } = {}) {
  const master = await createMaster(service, { projects, cards: 3 })
  const masterId = present(master.cardIds[1])
  const unique_identifier = `template-${masterId}`
  await master.admin.call(`${masters}/master-cards/update`, { id: masterId, ...fields, unique_identifier })
  await master.sync()
  const project = present(master.projects[0])
  const card = present(await project.cardOf(masterId))
  return { master, masterId, project, client: project.client, card, id: card.id }
}

const provenanceOf = async ({ client }: Receiver, id: number) =>
  (await client.call(`${operations}/cards/get`, { id })).provenance
const orderOf = async (master: MasterFixture, project: Receiver) =>
  (await master.copyIn(project)).groups.map((group) => group.cards.map((card) => card.master_card_id))

test('cards/get shows the template, its revisions and what the project customized; null for other cards', async () => {
  const { master, masterId, project, client, id } = await received()
  const { card, revisions } = await master.admin.call(`${masters}/master-cards/get`, { id: masterId })
  const revision = present(revisions[0]).revision
  const { id: boardId, title } = await master.whole()
  const origin = { master_board_id: boardId, master_board_title: title, master_card_id: masterId }
  const untouched = {
    ...origin,
    ...{ revision, newest_revision: revision, changed_fields: [] },
    ...{ version: 1, newest_version: 1, template_values: [], takes_updates: true },
  }
  assert.deepEqual(await provenanceOf(project, id), untouched)
  await client.call(`${operations}/cards/update`, { id, status: 'closed', owner_id: project.user.id })
  assert.deepEqual(await provenanceOf(project, id), untouched)
  await client.call(`${operations}/cards/update`, { id, title: 'Own', description: null, is_active: false })
  await client.call(`${operations}/cards/move`, { id, position: 1 })
  await master.admin.call(`${masters}/master-cards/update`, { id: masterId, priority: 'low' })
  const customized = {
    ...untouched,
    changed_fields: ['title', 'description', 'place', 'is_active'],
    template_values: [
      { field: 'title', value: card.title },
      { field: 'description', value: card.description },
    ],
  }
  // A draft is nothing that a project knows of.
  assert.deepEqual(await provenanceOf(project, id), customized)
  await master.publish()
  const { revisions: newer } = await master.admin.call(`${masters}/master-cards/get`, { id: masterId })
  assert.deepEqual(await provenanceOf(project, id), {
    ...customized,
    newest_revision: present(newer[0]).revision,
    newest_version: 2,
  })
  const { provenance } = await own.member.call(`${operations}/cards/get`, { id: present(own.cardIds[0]) })
  assert.equal(provenance, null)
})

test('cards/get has the template title that the project received, and a new one after a rollout', async () => {
  const { master, project, client, id } = await received()
  const { id: boardId, title } = await master.whole()
  const receivedTitle = async () => (await provenanceOf(project, id))?.master_board_title
  await master.admin.call(`${masters}/master-boards/update`, { id: boardId, title: 'Not for projects yet' })
  assert.equal(await receivedTitle(), title)
  await master.sync()
  assert.equal(await receivedTitle(), 'Not for projects yet')
  const { board_id: copyId } = await client.call(`${operations}/cards/get`, { id })
  await client.call(`${operations}/boards/update`, { id: copyId, title: 'Own' })
  assert.equal(await receivedTitle(), 'Not for projects yet')
})

const ownValues = {
  title: 'Own',
  description: 'own',
  short_description: 'own',
  priority: 'low',
  evaluation_check: 'own',
  tour_key: 'own',
  unique_identifier: 'own',
} as const

for (const name of Object.keys(ownValues) as (keyof typeof ownValues)[])
  test(`200 ${name} alone has the template's value again, and follows the template from then on`, async () => {
    const { master, masterId, project, client, card, id } = await received()
    await sql`update cards set ${sql(ownValues as never)} where id = ${id}`
    const { card: after } = await client.call(reset, { id, fields: [name] })
    assert.deepEqual(
      { ...after, updated_at: '' },
      { ...card, ...ownValues, [name]: card[name], updated_at: '' },
    )
    assert.deepEqual(await project.cardOf(masterId), after)
    assert.deepEqual(
      (await provenanceOf(project, id))?.changed_fields,
      Object.keys(ownValues).filter((field) => field !== name),
    )
    const next = name === 'priority' ? 'urgent' : `next-${masterId}`
    await master.admin.call(`${masters}/master-cards/update`, { id: masterId, [name]: next })
    assert.equal(await master.push(masterId), 1)
    const pushed = present(await project.cardOf(masterId))
    assert.deepEqual({ ...pushed, updated_at: '' }, { ...after, [name]: next, updated_at: '' })
  })

test('200 place: back to the group and the place that the template gave, also from another board', async () => {
  const { master, masterId, project, client, id } = await received()
  const before = await orderOf(master, project)
  await client.call(`${operations}/cards/move`, { id, position: 3 })
  await client.call(reset, { id, fields: ['place'] })
  assert.deepEqual(await orderOf(master, project), before)
  const { board } = await client.call(`${operations}/boards/create`, { title: 'Own' })
  const { group } = await client.call(`${operations}/groups/create`, { board_id: board.id, title: 'Own' })
  await client.call(`${operations}/cards/move`, { id, group_id: group.id })
  await client.call(`${operations}/cards/update`, { id, title: 'Own' })
  const { card } = await client.call(reset, { id, fields: ['place'] })
  assert.deepEqual([card.position, card.title], [2, 'Own'])
  assert.deepEqual(await orderOf(master, project), before)
  assert.deepEqual(
    (await client.call(`${operations}/boards/get`, { id: board.id })).board.groups[0]?.cards,
    [],
  )
  await master.admin.call(`${masters}/master-cards/move`, { id: masterId, group_id: master.groupIds[1] })
  await master.sync()
  assert.deepEqual((await orderOf(master, project))[1], [masterId])
})

test('200 is_active: a dismissed card is shown again', async () => {
  const { project, client, masterId, id } = await received()
  await client.call(`${operations}/tour/cards/dismiss-all`)
  assert.equal(present(await project.cardOf(masterId)).is_active, false)
  const { card } = await client.call(reset, { id, fields: ['is_active'] })
  assert.equal(card.is_active, true)
  assert.deepEqual(await project.cardOf(masterId), card)
})

test('200 resetting everything is one event with the fields; resetting nothing is no event', async () => {
  const { master, project, client, card, id } = await received()
  const all = [...Object.keys(ownValues), 'place', 'is_active'] as never[]
  const before = await project.countEvents()
  const { card: same } = await client.call(reset, { id, fields: all })
  assert.deepEqual(same, card)
  assert.equal(await project.countEvents(), before)
  await client.call(`${operations}/cards/update`, { id, title: 'Own', is_active: false })
  await client.call(`${operations}/cards/move`, { id, position: 1 })
  const { card: after } = await client.call(reset, { id, fields: all })
  assert.deepEqual({ ...after, updated_at: '' }, { ...card, updated_at: '' })
  const events = await sql<{ kind: string; data: object; actor_id: number }[]>`
    select kind, data, actor_id from events where card_id = ${id} order by id desc limit 1`
  assert.deepEqual(
    [...events],
    [
      {
        kind: 'card.reset',
        data: {
          fields: ['title', 'place', 'is_active'],
          changes: { title: { from: 'Own', to: card.title }, is_active: { from: false, to: true } },
          board_id: (await master.copyIn(project)).id,
          group_id: card.group_id,
          position: card.position,
        },
        actor_id: project.user.id,
      },
    ],
  )
})

test('400 place where the project deleted the group; nothing is reset', async () => {
  const { master, masterId, project, client, id } = await received()
  const [plan, build] = (await master.copyIn(project)).groups
  await client.call(`${operations}/cards/move`, { id, group_id: present(build).id })
  await client.call(`${operations}/cards/update`, { id, title: 'Own' })
  await client.call(`${operations}/groups/delete`, { id: present(plan).id })
  const before = await project.cardOf(masterId)
  const { status, body } = await sender(
    service,
    project.user.token,
    reset,
  )('', { id, fields: ['place', 'title'] })
  assert.equal(status, 400)
  assert.deepEqual(body, {
    error: true,
    message: 'The group of this card in its template was deleted or archived. Move the card instead.',
    data: [],
  })
  assert.deepEqual(await project.cardOf(masterId), before)
})

test('resetting the place waits for other writers of the project without holding locks', async () => {
  const { project, client, card, id } = await received()
  await client.call(`${operations}/cards/move`, { id, position: 1 })
  const { answer } = await change(service.db, project.id, async (queries) => {
    const called = client.attempt(reset, { id, fields: ['place'] })
    await waitingForLocks(service.db, 1)
    await queries.sql`select from groups where project_id = ${project.id} and id = ${card.group_id} for update nowait`
    await queries.sql`select from cards where project_id = ${project.id} and id = ${id} for update nowait`
    return { answer: called }
  })
  assert.equal((await answer).status, 200)
})

test('400 a card of the project’s own, and one whose master was deleted', async () => {
  const { master, masterId, client, id } = await received()
  await master.admin.call(`${masters}/master-cards/delete`, { id: masterId })
  await master.publish()
  const results = [
    await client.attempt(reset, { id, fields: ['title'] }),
    await own.member.attempt(reset, { id: present(own.cardIds[0]), fields: ['title'] }),
  ]
  for (const { status, message } of results)
    assert.deepEqual([status, message], [400, 'This card does not come from a template.'])
})

test('403 for a viewer and in another project, 404 for an unknown card, 422 for unknown fields', async () => {
  const { master, masterId, project, client, id } = await received({ projects: 2 })
  await client.call(`${operations}/cards/update`, { id, title: 'Own' })
  const before = await project.cardOf(masterId)
  const viewer = service.client((await service.addUser({ roles: { [project.id]: 'viewer' } })).token)
  const stranger = present(master.projects[1]).client
  for (const refused of [viewer, stranger])
    assert.equal((await refused.attempt(reset, { id, fields: ['title'] })).status, 403)
  for (const unknown of [0, -1, 999_999, Number.MAX_SAFE_INTEGER])
    assert.equal((await client.attempt(reset, { id: unknown, fields: ['title'] })).status, 404)
  const send = sender(service, project.user.token, reset)
  const errors = async (wrong: unknown) => (await send('', { id, fields: wrong })).body.errors
  assert.deepEqual(await errors([]), { fields: ['The fields field is required.'] })
  assert.deepEqual(await errors('title'), { fields: ['The fields field must be an array.'] })
  assert.deepEqual(await errors(['title', 'status']), { 'fields.1': ['The selected fields.1 is invalid.'] })
  assert.deepEqual(Object.keys((await errors(Array(11).fill('title'))) ?? {}), ['fields'])
  assert.deepEqual(await project.cardOf(masterId), before)
  const member = service.client((await service.addUser({ roles: { [project.id]: 'member' } })).token)
  assert.equal((await member.attempt(reset, { id, fields: ['title'] })).status, 200)
})
