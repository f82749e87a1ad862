import assert from 'node:assert/strict'
import test from 'node:test'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()

test('200 card_type says where a card is from, in every card of v2 and as a filter; v1 has it in cards/create alone', async () => {
  const master = await createMaster(service, { cards: 1 })
  const { card: tour } = await master.admin.call(`${masters}/master-cards/create`, {
    group_id: master.groupIds[0],
    title: 'Tour card',
    tour_key: 'boards.open',
  })
  assert.equal(tour.card_type, 'tour')
  await master.sync()
  const [project] = master.projects
  assert.ok(project)
  const group_id = (await master.copyIn(project)).groups[0]?.id as number
  const { card } = await project.client.call(`${operations}/cards/create`, { title: 'Own card', group_id })
  assert.equal(card.card_type, 'custom')

  const board = await master.copyIn(project)
  const types = board.groups.flatMap(({ cards }) => cards.map(({ title, card_type }) => [title, card_type]))
  assert.deepEqual(types, [
    ['Card 1', 'template'],
    ['Tour card', 'tour'],
    ['Own card', 'custom'],
  ])
  const whole = (await master.whole()).groups.flatMap(({ cards }) => cards.map(({ card_type }) => card_type))
  assert.deepEqual(whole, ['template', 'tour'])

  const found = async (card_type: 'custom' | 'template' | 'tour', query?: string) =>
    (
      await project.client.call(`${operations}/cards/search`, { card_type, ...(query && { query }) })
    ).cards.map(({ title, card_type: type }) => [title, type])
  for (const query of [undefined, 'card']) {
    assert.deepEqual(await found('custom', query), [['Own card', 'custom']])
    assert.deepEqual(await found('template', query), [['Card 1', 'template']])
    assert.deepEqual(await found('tour', query), [['Tour card', 'tour']])
  }
  const { status, body } = await post(service, `${operations}/cards/search`, project.user.token, {
    card_type: 'evil',
  })
  assert.deepEqual([status, body.errors], [422, { card_type: ['The selected card type is invalid.'] }])

  const inV1 = await post<{ board: string }>(service, `${operations}/boards/get`, project.user.token, {
    id: board.id,
  })
  assert.doesNotMatch(inV1.body.data.board, /card_type/)

  await master.admin.call(`${masters}/master-cards/update`, { id: tour.id, tour_key: null })
  await master.sync()
  assert.deepEqual(await found('tour'), [])
  assert.equal((await found('template')).length, 2)
})
