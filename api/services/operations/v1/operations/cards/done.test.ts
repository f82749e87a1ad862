// Groups of type done close the cards that are moved into them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()

async function scene() {
  const made = await createBoard(service, { cards: 1 })
  const [todo, doing, done] = made.groupIds as [number, number, number]
  const id = made.cardIds[0] as number
  await made.admin.call(`${operations}/groups/update`, { id: done, type: 'done' })
  const move = async (group_id: number, card = id) =>
    (await made.member.call(`${operations}/cards/move`, { id: card, group_id, position: 1 })).card.status
  const set = (status: string) => made.member.call(`${operations}/cards/update`, { id, status })
  return { ...made, todo, doing, done, id, move, set }
}

test('a card that is moved into a done group is closed, and gets its status back when it is moved out', async () => {
  const { admin, boardId, todo, doing, done, id, move, set } = await scene()
  await set('to_check')
  assert.equal(await move(doing), 'to_check')
  assert.equal(await move(done), 'closed')
  assert.equal(await move(done), 'closed')
  assert.equal(await move(doing), 'to_check')
  assert.equal(await move(done), 'closed')
  assert.equal(await move(todo), 'to_check')
  const { activity } = await admin.call(`${operations}/activity/list`, { board_id: boardId, card_id: id })
  assert.deepEqual(
    activity.slice(0, 5).map(({ kind, data }) => [kind, (data as { status?: unknown }).status]),
    [
      ['card.moved', { from: 'closed', to: 'to_check' }],
      ['card.moved', { from: 'to_check', to: 'closed' }],
      ['card.moved', { from: 'closed', to: 'to_check' }],
      ['card.moved', { from: 'to_check', to: 'closed' }],
      ['card.moved', undefined],
    ],
  )
  await assertSizesTrue(service.db)
})

test('a card that was closed before, or was reopened there, keeps what people gave it', async () => {
  const { doing, done, move, set } = await scene()
  await set('closed')
  assert.equal(await move(done), 'closed')
  assert.equal(await move(doing), 'closed')
  await set('blocked')
  assert.equal(await move(done), 'closed')
  await set('in_progress')
  assert.equal(await move(doing), 'in_progress')
})

test('from one done group to another a card stays closed and keeps the status it returns to', async () => {
  const { admin, boardId, doing, done, move, set } = await scene()
  const { group } = await admin.call(`${operations}/groups/create`, {
    board_id: boardId,
    title: 'Shipped',
    type: 'done',
  })
  await set('in_progress')
  assert.equal(await move(done), 'closed')
  assert.equal(await move(group.id), 'closed')
  assert.equal(await move(doing), 'in_progress')
})

test('only moves close cards: creating one there or giving the group its type does not', async () => {
  const { admin, member, doing, done, id, move } = await scene()
  const { card } = await member.call(`${operations}/cards/create`, { title: 'x', group_id: done })
  assert.equal(card.status, 'open')
  assert.equal(await move(doing, card.id), 'open')
  await move(doing)
  await admin.call(`${operations}/groups/update`, { id: doing, type: 'done' })
  assert.equal((await member.call(`${operations}/cards/get`, { id })).card.status, 'open')
  assert.equal(await move(done), 'closed')
})

test('the type has any words, and only done has this effect', async () => {
  const { admin, doing, todo, move } = await scene()
  for (const type of ['todo', 'active', 'waiting', 'Done', 'done by others', null]) {
    await admin.call(`${operations}/groups/update`, { id: doing, type })
    assert.equal(await move(doing), 'open', String(type))
    await move(todo)
  }
})

test('a board can switch it off, and new boards have it on', async () => {
  const { admin, boardId, doing, done, move } = await scene()
  const switched = async (done_closes_cards: boolean) =>
    (await admin.call(`${operations}/boards/update`, { id: boardId, done_closes_cards })).board
  const { board } = await admin.call(`${operations}/boards/get`, { id: boardId })
  assert.equal(board.done_closes_cards, true)
  assert.equal((await switched(false)).done_closes_cards, false)
  assert.equal(await move(done), 'open')
  assert.equal(await move(doing), 'open')
  await switched(true)
  assert.equal(await move(done), 'closed')
  await switched(false)
  assert.equal(await move(doing), 'closed')
})

test('422 for a type of more than 50 characters, which changes nothing', async () => {
  const { admin, members, boardId, done } = await scene()
  const send = (verb: string, input: object) =>
    post(service, `${operations}/groups/${verb}`, members.admin.token, input)
  const type = 'x'.repeat(51)
  assert.equal((await send('update', { id: done, type, title: 'Changed' })).status, 422)
  assert.equal((await send('create', { board_id: boardId, title: 'New', type })).status, 422)
  const { board } = await admin.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ title, type }) => [title, type]),
    [
      ['To do', null],
      ['Doing', null],
      ['Done', 'done'],
    ],
  )
  const most = type.slice(1)
  const { group } = await admin.call(`${operations}/groups/update`, { id: done, type: most })
  assert.equal(group.type, most)
})
