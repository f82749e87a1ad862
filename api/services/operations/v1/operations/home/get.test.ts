import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'

test('200 the open cards of the caller, most urgent first, and how many there are', async () => {
  const { member, members, admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 4 })
  const [closed, later, sooner, none] = cardIds as [number, number, number, number]
  for (const id of cardIds) await member.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await member.call(`${base}/cards/update`, { id: closed, status: 'closed' })
  await member.call(`${base}/cards/update`, { id: later, due_date: '2031-01-01T00:00:00Z' })
  await member.call(`${base}/cards/update`, { id: sooner, due_date: '2020-01-01T00:00:00Z' })
  const home = await member.call(`${base}/home/get`)
  assert.deepEqual(
    home.cards.map(({ id, is_overdue }) => [id, is_overdue]),
    [
      [sooner, true],
      [later, false],
      [none, false],
    ],
  )
  assert.equal(home.cards_count, 3)
  assert.deepEqual((await admin.call(`${base}/home/get`)).cards, [])

  for (let number = 0; number < 20; number++)
    await member.call(`${base}/cards/create`, {
      title: 'More',
      group_id: groupIds[0] as number,
      owner_id: members.member.id,
    })
  const full = await member.call(`${base}/home/get`)
  assert.deepEqual([full.cards.length, full.cards_count], [20, 23])
  await admin.call(`${base}/boards/update`, { id: boardId, is_active: false })
  const { cards, cards_count, boards } = await member.call(`${base}/home/get`)
  assert.deepEqual({ cards, cards_count, boards }, { cards: [], cards_count: 0, boards: [] })
})

test('200 cards with comments of others that the caller has not read, the newest first', async () => {
  const { member, admin, groupIds, cardIds } = await createBoard(service, { cards: 4 })
  const [one, two, deleted, archived] = cardIds as [number, number, number, number]
  const say = (card_id: number) => admin.call(`${base}/comments/create`, { card_id, comment: 'Look' })
  const unread = async (client = member) =>
    (await client.call(`${base}/home/get`)).unread.map((card) => [card.id, card.unread_count])
  for (const id of [two, one, one, deleted, archived]) await say(id)
  assert.deepEqual(await unread(), [
    [archived, 1],
    [deleted, 1],
    [one, 2],
    [two, 1],
  ])
  assert.deepEqual(await unread(admin), [])
  await admin.call(`${base}/cards/delete`, { id: deleted })
  await admin.call(`${base}/cards/move`, { id: archived, group_id: groupIds[1] as number, position: 1 })
  await admin.call(`${base}/groups/archive`, { id: groupIds[1] as number })
  await member.call(`${base}/comments/mark-read`, { card_id: one })
  await say(two)
  assert.deepEqual(await unread(), [[two, 2]])
})

test('200 comments from before somebody joined are not counted as unread, those after it are', async () => {
  const { projectId, boardId, admin, cardIds } = await createBoard(service, { cards: 2 })
  const [before, after] = cardIds as [number, number]
  const say = (card_id: number) => admin.call(`${base}/comments/create`, { card_id, comment: 'Look' })
  await say(before)
  const lateUser = await service.addUser({ roles: { [projectId]: 'member' } })
  const late = service.client(lateUser.token)
  await say(after)
  const home = await late.call(`${base}/home/get`)
  assert.deepEqual(
    home.unread.map(({ id, unread_count }) => [id, unread_count]),
    [[after, 1]],
  )
  const { cards } = await late.call(`${base}/boards/get-personal`, { board_id: boardId })
  assert.deepEqual(
    cards.map(({ card_id, comments_count, unread_count }) => [card_id, comments_count, unread_count]),
    [
      [before, 1, 0],
      [after, 1, 1],
    ],
  )
  const { cards: counted } = await late.call(`${base}/comments/unread`, { board_id: boardId })
  assert.deepEqual(counted, [{ card_id: after, unread_count: 1 }])

  const marks = async (card_id: number) => {
    const { comments } = await late.call(`${base}/comments/list`, { card_id })
    const { comments: newest } = await late.call(`${base}/cards/get`, { id: card_id })
    assert.deepEqual(newest, comments)
    return comments.map(({ is_read, read_at }) => [is_read, read_at])
  }
  const [membership] = await service.db.sql<{ at: string }[]>`
    select wire_time(created_at) as at from memberships where project_id = ${projectId} and user_id = ${lateUser.id}`
  assert.deepEqual(await marks(before), [[true, membership?.at]])
  assert.deepEqual(await marks(after), [[false, null]])
  assert.deepEqual(await late.call(`${base}/comments/mark-read`, { card_id: before }), { read_count: 0 })

  // Undoing a removal leaves unread what was unread.
  for (const action of ['remove', 'restore'] as const)
    await admin.call(`/services/identity/v1/members/${action}`, { user_id: lateUser.id })
  assert.deepEqual(await marks(after), [[false, null]])
  assert.deepEqual(await late.call(`${base}/comments/mark-read`, { card_id: after }), { read_count: 1 })
})

test('200 superadmins who are no members have read nothing before they do', async () => {
  const { admin, cardIds, projectId } = await createBoard(service, { cards: 1 })
  const card_id = cardIds[0] as number
  await admin.call(`${base}/comments/create`, { card_id, comment: 'Look' })
  const superadmin = await service.addUser({ superadmin: true })
  const client = service.client(superadmin.token, { 'x-project-id': String(projectId) })
  const { comments } = await client.call(`${base}/comments/list`, { card_id })
  assert.deepEqual(
    comments.map(({ is_read }) => is_read),
    [false],
  )
  assert.deepEqual(await client.call(`${base}/comments/mark-read`, { card_id }), { read_count: 1 })
})

test('200 the boards that changed last, and when', async () => {
  const { member, admin, boardId, cardIds, projectId } = await createBoard(service, { cards: 1 })
  const { board: other } = await admin.call(`${base}/boards/create`, { title: 'Other' })
  const { board: gone } = await admin.call(`${base}/boards/create`, { title: 'Gone' })
  await admin.call(`${base}/boards/delete`, { id: gone.id })
  const changed = async () => (await member.call(`${base}/home/get`)).boards.map(({ board_id }) => board_id)
  assert.deepEqual(await changed(), [other.id, boardId])
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, title: 'Changed' })
  assert.deepEqual(await changed(), [boardId, other.id])
  await service.db.sql`delete from events where project_id = ${projectId} and board_id = ${other.id}`
  assert.deepEqual(await changed(), [boardId, other.id])
  const [row] = await service.db.sql<{ at: string }[]>`
    select wire_time(max(created_at)) as at from events where project_id = ${projectId}`
  const { boards } = await member.call(`${base}/home/get`)
  assert.equal(boards[0]?.changed_at, row?.at)
})
