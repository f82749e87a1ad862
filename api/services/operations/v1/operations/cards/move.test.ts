import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const move = `${operations}/cards/move`
const service = await startTestService()
const { projectId, members, admin, member, boardId } = await createBoard(service)
const other = await createBoard(service, { cards: 1 })

async function newGroup(cards: number, board_id = boardId) {
  const { group } = await admin.call(`${operations}/groups/create`, { board_id, title: 'x' })
  const ids: number[] = []
  for (let number = 0; number < cards; number++)
    ids.push((await member.call(`${operations}/cards/create`, { title: 'x', group_id: group.id })).card.id)
  return { id: group.id, ids }
}

/** The ids of a group's cards as the board shows them; their positions are always 1, 2, 3 … */
async function shown(groupId: number, board = boardId) {
  const { board: whole } = await member.call(`${operations}/boards/get`, { id: board })
  const cards = whole.groups.find(({ id }) => id === groupId)?.cards ?? []
  assert.deepEqual(
    cards.map(({ position }) => position),
    cards.map((_card, index) => index + 1),
  )
  return cards.map(({ id }) => id)
}

test('200 every position of the group, clamped to the list; the end without a position', async () => {
  const group = await newGroup(4)
  const [a, b, c, d] = group.ids as [number, number, number, number]
  const cases: [number, number | null | undefined, number, number[]][] = [
    [a, 2, 2, [b, a, c, d]],
    [a, 3, 3, [b, c, a, d]],
    [a, 4, 4, [b, c, d, a]],
    [a, 1, 1, [a, b, c, d]],
    [d, 2, 2, [a, d, b, c]],
    [d, 2, 2, [a, d, b, c]],
    [d, 0, 1, [d, a, b, c]],
    [c, -Number.MAX_SAFE_INTEGER, 1, [c, d, a, b]],
    [c, 99, 4, [d, a, b, c]],
    [d, Number.MAX_SAFE_INTEGER, 4, [a, b, c, d]],
    [a, null, 4, [b, c, d, a]],
    [b, undefined, 4, [c, d, a, b]],
    [b, null, 4, [c, d, a, b]],
  ]
  for (const [id, position, place, order] of cases) {
    const { card } = await member.call(move, { id, ...(position !== undefined && { position }) })
    assert.equal(card.position, place)
    assert.deepEqual(await shown(group.id), order)
  }
})

test('200 a card alone in its group stays at 1', async () => {
  const group = await newGroup(1)
  for (const position of [null, 1, 2, 0])
    assert.equal((await member.call(move, { id: group.ids[0] as number, position })).card.position, 1)
})

test('200 to another group, at a place or at the end; sort_order stays', async () => {
  const [from, to] = [await newGroup(3), await newGroup(2)]
  const [a, b, c] = from.ids as [number, number, number]
  const { card } = await member.call(move, { id: c, group_id: to.id, position: 2 })
  assert.equal(card.group_id, to.id)
  assert.equal(card.position, 2)
  assert.equal(card.sort_order, 3)
  await member.call(move, { id: a, group_id: to.id })
  assert.deepEqual(await shown(from.id), [b])
  assert.deepEqual(await shown(to.id), [to.ids[0], c, to.ids[1], a])
})

test('200 the exact keys of a card, without card_type', async () => {
  const group = await newGroup(1)
  const send = sender(service, members.member.token, operations)
  const { body } = await send('/cards/move', { id: group.ids[0] })
  const read = await send('/cards/get', { id: group.ids[0] })
  assert.deepEqual(body, {
    error: false,
    message: 'The card was moved.',
    data: { card: read.body.data.card },
  })
  assert.equal('card_type' in body.data.card, false)
})

test('200 to another board of the project: both boards have the event', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Second' })
  const [from, to] = [await newGroup(2), await newGroup(1, board.id)]
  const id = from.ids[0] as number
  assert.deepEqual(await shown(from.id), from.ids)
  assert.deepEqual(await shown(to.id, board.id), to.ids)
  await member.call(move, { id, group_id: to.id, position: 1 })
  assert.deepEqual(await shown(from.id), [from.ids[1]])
  assert.deepEqual(await shown(to.id, board.id), [id, to.ids[0]])
  for (const board_id of [boardId, board.id]) {
    const { activity } = await member.call(`${operations}/activity/list`, { board_id, limit: 1 })
    assert.equal(activity[0]?.kind, 'card.moved')
    assert.equal(activity[0]?.card_id, id)
    assert.partialDeepStrictEqual(activity[0]?.data, {
      from_board_id: boardId,
      from_group_id: from.id,
      board_id: board.id,
      group_id: to.id,
      position: 1,
    })
  }
  await member.call(move, { id, group_id: from.id })
  assert.deepEqual(await shown(from.id), [from.ids[1], id])
  assert.deepEqual(await shown(to.id, board.id), to.ids)
})

test('200 again and again between the same two cards: the list makes room', async () => {
  const group = await newGroup(4)
  const [a, b, c, d] = group.ids as [number, number, number, number]
  for (let round = 0; round < 60; round++) {
    const moved = round % 2 === 0 ? c : b
    await member.call(move, { id: moved, position: 2 })
    assert.deepEqual(await shown(group.id), moved === c ? [a, c, b, d] : [a, b, c, d])
  }
})

test('200 again and again to one place of a long list: only the cards around it get new ranks', async () => {
  const group = await newGroup(0)
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${projectId}, ${boardId}, ${group.id}, 'x', number from generate_series(1, 400) number`
  const ranks = async () =>
    (
      await service.db.sql<{ id: number; rank: number }[]>`
      select id, rank from cards where project_id = ${projectId} and group_id = ${group.id} order by rank`
    ).map(({ id, rank }) => [id, rank] as const)
  const before = await ranks()
  const order = before.map(([id]) => id)
  for (let round = 0; round < 120; round++) {
    const [id] = order.splice(100 + ((round * 37) % 100), 1) as [number]
    order.splice(149, 0, id)
    const { card } = await member.call(move, { id, position: 150 })
    assert.equal(card.position, 150)
  }
  assert.deepEqual(await shown(group.id), order)
  const after = new Map(await ranks())
  const kept = before.filter(([id, rank]) => after.get(id) === rank)
  assert.ok(kept.length >= 200, `${kept.length} of ${before.length} cards kept their ranks`)
})

test('422 for an unknown or deleted group; nothing moves', async () => {
  const group = await newGroup(2)
  const gone = await newGroup(0)
  await admin.call(`${operations}/groups/delete`, { id: gone.id })
  for (const group_id of [gone.id, 0, -1, Number.MAX_SAFE_INTEGER]) {
    const result = await member.attempt(move, { id: group.ids[0] as number, group_id })
    assert.equal(result.status, 422)
    assert.deepEqual(!result.ok && result.errors, { group_id: ['The selected group id is invalid.'] })
  }
  assert.deepEqual(await shown(group.id), group.ids)
})

test("403 another project's group, 422 that of another own project; nothing moves", async () => {
  const group = await newGroup(2)
  const id = group.ids[0] as number
  const theirs = other.groupIds[0] as number
  assert.equal((await member.attempt(move, { id, group_id: theirs })).status, 403)
  const both = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'member' } })
  const result = await service.client(both.token).attempt(move, { id, group_id: theirs })
  assert.equal(result.status, 422)
  assert.deepEqual(!result.ok && Object.keys(result.errors), ['group_id'])
  const viewer = await service.addUser({ roles: { [projectId]: 'member', [other.projectId]: 'viewer' } })
  assert.equal((await service.client(viewer.token).attempt(move, { id, group_id: theirs })).status, 403)
  assert.deepEqual(await shown(group.id), group.ids)
})

test("404 a card that is not there; 403 another project's card", async () => {
  const group = await newGroup(1)
  const id = group.ids[0] as number
  await member.call(`${operations}/cards/delete`, { id })
  for (const missing of [id, 0, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(move, { id: missing, position: 1 })).status, 404)
  const theirs = other.cardIds[0] as number
  assert.equal((await member.attempt(move, { id: theirs, group_id: group.id })).status, 403)
  assert.equal((await member.attempt(move, { id: theirs, position: 1 })).status, 403)
})

test('deleted cards take no place', async () => {
  const group = await newGroup(4)
  const [a, b, c, d] = group.ids as [number, number, number, number]
  await member.call(`${operations}/cards/delete`, { id: b })
  await member.call(move, { id: a, position: 2 })
  assert.deepEqual(await shown(group.id), [c, a, d])
})

test('200 to its current place: no event, and nothing changes', async () => {
  const board = await createBoard(service, { cards: 3 })
  const { sql } = service.db
  const state = () => sql`
    select (select count(*) from events) as events, json_agg(c order by id) as cards from cards c
    where project_id = ${board.projectId}`
  const before = await state()
  const [first, second, third] = board.cardIds as [number, number, number]
  for (const input of [
    { id: first, position: 1 },
    { id: first, position: -5 },
    { id: second, position: 2 },
    { id: third, position: 3 },
    { id: third, position: 99 },
    { id: third },
    { id: second, position: 2, group_id: board.groupIds[0] as number },
  ])
    await board.member.call(move, input)
  assert.deepEqual(await state(), before)
})

test('200 with an Idempotency-Key too, when moves to one place meet', async () => {
  const board = await createBoard(service, { cards: 12 })
  const { token } = board.members.member
  for (let round = 0; round < 5; round++) {
    const moves = board.cardIds.map((id) =>
      service.client(token, { 'idempotency-key': `${round} ${id}` }).attempt(move, { id, position: 6 }),
    )
    const statuses = new Set((await Promise.all(moves)).map((result) => result.status))
    assert.deepEqual(statuses, new Set([200]))
  }
})
