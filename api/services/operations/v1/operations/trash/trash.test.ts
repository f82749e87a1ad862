import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'

test('200 a group comes back to its place with exactly what went with it', async () => {
  const { member, admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [id] = groupIds as [number]
  const [kept, deletedBefore] = cardIds as [number, number]
  await member.call(`${base}/comments/create`, { card_id: kept, comment: 'still here' })
  await member.call(`${base}/cards/delete`, { id: deletedBefore })
  const before = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  await admin.call(`${base}/groups/delete`, { id })
  const { group } = await admin.call(`${base}/groups/restore`, { id })
  assert.deepEqual([group.id, group.position, group.deleted_at], [id, 1, null])
  const after = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  const shape = (board: typeof before) =>
    board.groups.map(({ id, position, cards }) => ({ id, position, cards: cards.map((card) => card.id) }))
  assert.deepEqual(shape(after), shape(before))
  assert.equal((await member.call(`${base}/cards/get`, { id: kept })).comments[0]?.comment, 'still here')
})

test('200 a board comes back with its groups, without a group that was deleted before', async () => {
  const { admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 2 })
  await admin.call(`${base}/groups/delete`, { id: groupIds[2] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const { board } = await admin.call(`${base}/boards/restore`, { id: boardId })
  assert.deepEqual([board.id, board.deleted_at], [boardId, null])
  const read = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  assert.deepEqual(
    read.groups.map((group) => ({ id: group.id, cards: group.cards.map(({ id }) => id) })),
    [
      { id: groupIds[0], cards: cardIds },
      { id: groupIds[1], cards: [] },
    ],
  )
})

test('200 the end of the list for a board or group whose old place was taken', async () => {
  const { admin, projectId, boardId, groupIds } = await createBoard(service)
  const { board: other } = await admin.call(`${base}/boards/create`, { title: 'Other' })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const { sql } = service.db
  await sql`update boards set rank = (select rank from boards where id = ${boardId}) where id = ${other.id}`
  assert.equal((await admin.call(`${base}/boards/restore`, { id: boardId })).board.position, 2)
  await sql`update groups set rank = (select rank from groups where id = ${groupIds[0] as number}) where id = ${groupIds[1] as number}`
  assert.equal((await admin.call(`${base}/groups/restore`, { id: groupIds[0] as number })).group.position, 3)
  assert.equal(projectId, other.project_id)
})

test('400 what is not deleted, and a group whose board is', async () => {
  const { admin, boardId, groupIds } = await createBoard(service)
  const [id] = groupIds as [number]
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 400)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: boardId })).status, 400)
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 400)
})

test('403 for members, 404 for what never was or was deleted more than 30 days ago', async () => {
  const { admin, member, boardId, groupIds } = await createBoard(service)
  const [id] = groupIds as [number]
  await admin.call(`${base}/groups/delete`, { id })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await member.attempt(`${base}/groups/restore`, { id })).status, 403)
  assert.equal((await member.attempt(`${base}/boards/restore`, { id: boardId })).status, 403)
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id: 2 ** 40 })).status, 404)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: 2 ** 40 })).status, 404)
  const { sql } = service.db
  await sql`update groups set deleted_at = now() - interval '31 days' where id = ${id}`
  await sql`update boards set deleted_at = now() - interval '31 days' where id = ${boardId}`
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 404)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: boardId })).status, 404)
})

test('200 the list has each deleted thing once, the newest first, and loses it when it is restored', async () => {
  const { admin, member, members, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [card] = cardIds as [number]
  const [group] = groupIds as [number]
  const listed = async () =>
    (await member.call(`${base}/trash/list`)).things.map(({ kind, thing_id }) => `${kind} ${thing_id}`)
  await member.call(`${base}/cards/delete`, { id: card })
  await member.call(`${base}/cards/restore`, { id: card })
  assert.deepEqual(await listed(), [])
  await member.call(`${base}/cards/delete`, { id: card })
  await admin.call(`${base}/groups/delete`, { id: group })
  assert.deepEqual(await listed(), [`group ${group}`, `card ${card}`])
  const { things } = await member.call(`${base}/trash/list`)
  assert.deepEqual(
    things.map(({ title, board_title, cards_count, created_by }) => ({
      title,
      board_title,
      cards_count,
      created_by,
    })),
    [
      { title: 'To do', board_title: 'Board', cards_count: 2, created_by: members.admin.id },
      { title: 'Card 1', board_title: 'Board', cards_count: 1, created_by: members.member.id },
    ],
  )
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.deepEqual(await listed(), [`board ${boardId}`, `group ${group}`, `card ${card}`])
  const first = await member.call(`${base}/trash/list`, { limit: 1 })
  const second = await member.call(`${base}/trash/list`, { limit: 1, cursor: first.next_cursor })
  assert.equal(second.things[0]?.thing_id, group)
})

test('403 in another project, 422 for a cursor that is none', async () => {
  const { members } = await createBoard(service)
  const { projectId } = await createBoard(service)
  const elsewhere = service.client(members.member.token, { 'x-project-id': String(projectId) })
  assert.equal((await elsewhere.attempt(`${base}/trash/list`)).status, 403)
  const own = service.client(members.member.token)
  assert.equal((await own.attempt(`${base}/trash/list`, { cursor: 'x' })).status, 422)
})
