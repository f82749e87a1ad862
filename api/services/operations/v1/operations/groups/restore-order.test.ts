import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { createMaster } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const restoreOrder = `${operations}/groups/restore-order` as const
const service = await startTestService()

test('200 the cards of the template in its order, then the others as they were created; undone with the former order', async () => {
  const master = await createMaster(service, { cards: 4 })
  await master.sync()
  const [project] = master.projects
  assert.ok(project)
  const { client } = project
  const group = async () => {
    const [first] = (await master.copyIn(project)).groups
    assert.ok(first)
    return first
  }
  const titles = async () => (await group()).cards.map(({ title }) => title)
  const { id } = await group()
  for (const title of ['Own 1', 'Own 2'])
    await client.call(`${operations}/cards/create`, { title, group_id: id })
  const byTitle = new Map((await group()).cards.map((card) => [card.title, card.id]))
  const move = (title: string, position: number) =>
    client.call(`${operations}/cards/move`, { id: byTitle.get(title) as number, position })
  await move('Card 4', 1)
  await move('Own 2', 2)
  await move('Card 1', 6)
  const shuffled = ['Card 4', 'Own 2', 'Card 2', 'Card 3', 'Own 1', 'Card 1']
  assert.deepEqual(await titles(), shuffled)

  // The template changes its own order; cards that the project moved keep their places.
  await master.admin.call(`${masters}/master-cards/move`, { id: master.cardIds[1] as number, position: 1 })
  await master.sync()
  const before = (await group()).cards.map((card) => card.id)
  const restored = await client.call(restoreOrder, { id })
  const expected = ['Card 2', 'Card 1', 'Card 3', 'Card 4', 'Own 1', 'Own 2']
  assert.deepEqual(await titles(), expected)
  assert.deepEqual(restored.previous_card_ids, before)
  assert.deepEqual(
    restored.card_ids,
    expected.map((title) => byTitle.get(title)),
  )
  const events = () => project.countEvents()
  const counted = await events()
  await client.call(restoreOrder, { id })
  assert.equal(await events(), counted, 'what changes nothing is no event')

  // The template's cards follow it again, in this project too.
  await master.admin.call(`${masters}/master-cards/move`, { id: master.cardIds[3] as number, position: 1 })
  await master.sync()
  assert.deepEqual(await titles(), ['Card 4', 'Card 2', 'Card 1', 'Card 3', 'Own 1', 'Own 2'])

  const undone = await client.call(restoreOrder, { id, card_ids: before })
  assert.deepEqual(undone.card_ids, before)
  assert.deepEqual(
    (await group()).cards.map((card) => card.id),
    before,
  )
  await master.admin.call(`${masters}/master-cards/move`, { id: master.cardIds[3] as number, position: 4 })
  await master.sync()
  assert.deepEqual(
    (await group()).cards.map((card) => card.id),
    before,
    'an order of the project is kept',
  )
})

test('200 a group without a template: the order in which its cards were created', async () => {
  const { member, groupIds, cardIds, boardId } = await createBoard(service, { cards: 3 })
  const [id] = groupIds as [number]
  await member.call(`${operations}/cards/move`, { id: cardIds[2] as number, position: 1 })
  await member.call(restoreOrder, { id })
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map((card) => card.id),
    cardIds,
  )
})

test('404 a group that does not exist, or is deleted; 403 for a viewer', async () => {
  const { admin, member, members, groupIds } = await createBoard(service, { cards: 2 })
  const [id] = groupIds as [number]
  const viewer = await service.client(members.viewer.token).attempt(restoreOrder, { id })
  assert.equal(viewer.status, 403)
  await admin.call(`${operations}/groups/delete`, { id })
  for (const missing of [id, 0, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(restoreOrder, { id: missing })).status, 404)
})

test('422 an order that is not one of all cards of the group; nothing changes', async () => {
  const { member, groupIds, cardIds, boardId } = await createBoard(service, { cards: 2 })
  const [id] = groupIds as [number]
  const [a, b] = cardIds as [number, number]
  for (const card_ids of [[a], [a, a], [a, 0], [a, b, 0], [b, a, a]]) {
    const refused = await member.attempt(restoreOrder, { id, card_ids })
    assert.ok(!refused.ok && refused.code === 'card_ids_not_found', String(card_ids))
  }
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map((card) => card.id),
    [a, b],
  )
})
