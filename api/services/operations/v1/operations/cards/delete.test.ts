import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const remove = `${operations}/cards/delete`
const get = `${operations}/cards/get`
const service = await startTestService()
const { projectId, members, admin, member, boardId, groupIds } = await createBoard(service)
const other = await createBoard(service, { cards: 1 })
const send = sender(service, members.member.token, operations)
const newCard = async (client = member) =>
  (await client.call(`${operations}/cards/create`, { title: 'x', group_id: groupIds[0] as number })).card.id
const comment = async (card_id: number) =>
  (await member.call(`${operations}/comments/create`, { card_id, comment: 'x' })).comment.id

test('200 get: the card with its comments, for the viewer too', async () => {
  const id = await newCard()
  const comments = [await comment(id), await comment(id)]
  const viewer = service.client(members.viewer.token)
  const found = await viewer.call(get, { id })
  assert.equal(found.card.id, id)
  assert.deepEqual(
    found.comments.map((entry) => [entry.id, entry.is_read]),
    comments.map((commentId) => [commentId, false]),
  )
})

test('404 and 403 get', async () => {
  for (const id of [0, -1, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(get, { id })).status, 404)
  assert.equal((await member.attempt(get, { id: other.cardIds[0] as number })).status, 403)
})

test('200 a member deletes an own card, with its comments; the others move up', async () => {
  const before = await newCard()
  const id = await newCard()
  const after = await newCard()
  const commentId = await comment(id)
  const positionOf = async (cardId: number) => (await member.call(get, { id: cardId })).card.position
  const place = await positionOf(after)
  const { status, body } = await send('/cards/delete', { id })
  assert.equal(status, 200)
  assert.deepEqual(body, { error: false, message: 'The card was deleted.', data: [] })
  assert.equal(await positionOf(after), place - 1)
  assert.equal(await positionOf(before), place - 2)
  assert.equal((await member.attempt(get, { id })).status, 404)
  assert.equal((await member.attempt(`${operations}/comments/list`, { card_id: id })).status, 404)
  assert.equal(
    (await member.attempt(`${operations}/comments/update`, { id: commentId, comment: 'y' })).status,
    404,
  )
  const rows = await service.db.sql`
    select card.deleted_at is not null and comment.deleted_at = card.deleted_at as gone from cards card
    join comments comment on comment.project_id = card.project_id and comment.card_id = card.id where card.id = ${id}`
  assert.deepEqual([...rows], [{ gone: true }])
})

test('404 for an unknown card and for a second deletion', async () => {
  const id = await newCard()
  assert.equal((await member.attempt(remove, { id })).status, 200)
  for (const missing of [id, 0, -5, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await send('/cards/delete', { id: missing })
    assert.equal(status, 404)
    assert.deepEqual(body, { error: true, message: 'There is no card with this id.', data: [] })
  }
})

test("403 with data for a member with another's card, and for another project's; nothing is deleted", async () => {
  const cases: [number, string][] = [
    [await newCard(admin), 'Members can delete only cards they created.'],
    [other.cardIds[0] as number, 'This action is unauthorized.'],
  ]
  for (const [id, message] of cases) {
    const { status, body } = await send('/cards/delete', { id })
    assert.equal(status, 403)
    assert.deepEqual(body, { error: true, message, data: [] })
    const rows = await service.db.sql`select from cards where id = ${id} and deleted_at is null`
    assert.equal(rows.length, 1)
  }
  const viewer = sender(service, members.viewer.token, operations)
  assert.deepEqual((await viewer('/cards/delete', { id: await newCard() })).body, {
    error: true,
    message: 'This action is unauthorized.',
    data: [],
  })
})

test('403 an own card in a project where one is a viewer now', async () => {
  const user = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'member' } })
  const client = service.client(user.token)
  const id = await newCard(client)
  await service.db
    .sql`update memberships set role = 'viewer' where project_id = ${projectId} and user_id = ${user.id}`
  assert.equal((await client.attempt(remove, { id })).status, 403)
})

test("200 admins, owners and superadmins delete anyone's", async () => {
  const superadmin = await service.addUser({ superadmin: true })
  for (const { token } of [members.admin, members.owner, superadmin])
    assert.equal((await service.client(token).attempt(remove, { id: await newCard() })).status, 200)
})

test('200 once of eight concurrent deletions, 404 for the others, and one event', async () => {
  const id = await newCard()
  const results = await Promise.all(Array.from({ length: 8 }, () => member.attempt(remove, { id })))
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)])
  const { activity } = await member.call(`${operations}/activity/list`, { board_id: boardId, limit: 5 })
  assert.equal(activity.filter(({ kind, card_id }) => kind === 'card.deleted' && card_id === id).length, 1)
})
