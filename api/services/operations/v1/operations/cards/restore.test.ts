import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const restore = `${operations}/cards/restore`
const remove = `${operations}/cards/delete`
const service = await startTestService()
const first = await createBoard(service)
const { admin, member, members } = first
const other = await createBoard(service, { cards: 1 })

const newCard = async (group_id: number, client = member) =>
  (await client.call(`${operations}/cards/create`, { title: 'x', group_id })).card.id
const comment = async (card_id: number) =>
  (await member.call(`${operations}/comments/create`, { card_id, comment: 'x' })).comment.id
const idsIn = async (boardId: number, groupId: number) => {
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  return board.groups.find(({ id }) => id === groupId)?.cards.map(({ id }) => id)
}
const newGroup = async (board_id = first.boardId) =>
  (await admin.call(`${operations}/groups/create`, { board_id, title: 'x' })).group.id

test('200 at its old place, with exactly the comments that were deleted with it', async () => {
  const groupId = await newGroup()
  const ids = [await newCard(groupId), await newCard(groupId), await newCard(groupId)]
  const id = ids[1] as number
  const [kept, deleted] = [await comment(id), await comment(id)]
  await member.call(`${operations}/comments/delete`, { id: deleted })
  const { card: before } = await member.call(`${operations}/cards/get`, { id })
  await member.call(remove, { id })
  assert.deepEqual(await idsIn(first.boardId, groupId), [ids[0], ids[2]])
  const { card } = await member.call(restore, { id })
  assert.deepEqual({ ...card, updated_at: '' }, { ...before, updated_at: '' })
  assert.deepEqual(await idsIn(first.boardId, groupId), ids)
  const { comments } = await member.call(`${operations}/comments/list`, { card_id: id })
  assert.deepEqual(
    comments.map((entry) => entry.id),
    [kept],
  )
  const { activity } = await member.call(`${operations}/activity/list`, {
    board_id: first.boardId,
    card_id: id,
    limit: 1,
  })
  assert.deepEqual(activity[0]?.data, {
    title: before.title,
    group_id: groupId,
    position: before.position,
    sort_order: before.sort_order,
    status: 'open',
    priority: 'normal',
    is_active: true,
    needs_confirmation: false,
    due_is_date: false,
    created_by: members.member.id,
    created_at: before.created_at,
  })
  assert.equal(activity[0]?.kind, 'card.restored')
})

test('200 between the same neighbors, also after the list was given new ranks', async () => {
  const groupId = await newGroup()
  const ids: number[] = []
  for (let number = 0; number < 5; number++) ids.push(await newCard(groupId))
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  await member.call(remove, { id: d })
  const rankOf = async () => (await service.db.sql`select rank from cards where id = ${e}`)[0]?.['rank']
  const before = await rankOf()
  for (let round = 0; round < 24; round++)
    await member.call(`${operations}/cards/move`, { id: round % 2 === 0 ? c : b, position: 2 })
  assert.notEqual(await rankOf(), before)
  await member.call(restore, { id: d })
  assert.deepEqual(await idsIn(first.boardId, groupId), [a, b, c, d, e])
})

test('200 at the end if another card has its rank', async () => {
  const groupId = await newGroup()
  const [a, b, c] = [await newCard(groupId), await newCard(groupId), await newCard(groupId)]
  await member.call(remove, { id: a })
  await service.db.sql`update cards set rank = (select rank from cards where id = ${a}) where id = ${b}`
  await member.call(`${operations}/cards/update`, { id: b, title: 'known to the board' })
  const { card } = await member.call(restore, { id: a })
  assert.equal(card.position, 3)
  assert.deepEqual(await idsIn(first.boardId, groupId), [b, c, a])
})

test('200 in the first group of the board after its own was deleted, with its comments', async () => {
  const groupId = await newGroup()
  const id = await newCard(groupId)
  const commentId = await comment(id)
  await admin.call(`${operations}/groups/delete`, { id: groupId })
  const { card } = await member.call(restore, { id })
  assert.equal(card.group_id, first.groupIds[0])
  assert.equal((await idsIn(first.boardId, card.group_id as number))?.at(-1), id)
  const { comments } = await member.call(`${operations}/comments/list`, { card_id: id })
  assert.deepEqual(
    comments.map((entry) => entry.id),
    [commentId],
  )
})

test('400 after its board was deleted', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'x' })
  const id = await newCard(await newGroup(board.id))
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  const result = await member.attempt(restore, { id })
  assert.equal(result.status, 400)
  assert.equal(
    result.message,
    'The board of this card was deleted, or has no group; with_parents restores both.',
  )
})

test('400 if its board has no group', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'x' })
  const groupId = await newGroup(board.id)
  const id = await newCard(groupId)
  await admin.call(`${operations}/groups/delete`, { id: groupId })
  assert.equal((await member.attempt(restore, { id })).status, 400)
})

test('400 for a card that is not deleted; 404 for an unknown id', async () => {
  const id = await newCard(first.groupIds[0] as number)
  const result = await member.attempt(restore, { id })
  assert.deepEqual([result.status, result.message], [400, 'This card is not deleted.'])
  for (const unknown of [0, -1, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(restore, { id: unknown })).status, 404)
})

test("403 another's card as a member, and another project's; 200 as an admin", async () => {
  const id = await newCard(first.groupIds[0] as number, admin)
  await admin.call(remove, { id })
  const theirs = other.cardIds[0] as number
  await other.member.call(remove, { id: theirs })
  for (const refused of [id, theirs]) {
    assert.equal((await member.attempt(restore, { id: refused })).status, 403)
    const rows = await service.db.sql`select from cards where id = ${refused} and deleted_at is not null`
    assert.equal(rows.length, 1)
  }
  const own = await newCard(first.groupIds[0] as number)
  await member.call(remove, { id: own })
  assert.equal((await service.client(members.admin.token).attempt(restore, { id: own })).status, 200)
})

test('a restored card loses a tag that was deleted since', async () => {
  const { tag } = await member.call(`${operations}/tags/create`, { name: 'x' })
  const { card } = await member.call(`${operations}/cards/create`, { title: 'x', tag_id: tag.id })
  await member.call(remove, { id: card.id })
  await member.call(`${operations}/tags/delete`, { id: tag.id })
  assert.equal((await member.call(restore, { id: card.id })).card.tag_id, null)
})
