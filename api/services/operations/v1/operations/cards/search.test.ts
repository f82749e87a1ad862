import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'

const titles = ({ cards }: { cards: { title: string }[] }) => cards.map(({ title }) => title)

test('200 cards that have every word in title or description, whatever the case, the newest first', async () => {
  const { member, groupIds } = await createBoard(service)
  const [group_id] = groupIds as [number]
  for (const [title, description] of [
    ['Paint the red door', '<p>before winter</p>'],
    ['Red roses', null],
    ['Order 100 % red paint', null],
    ['İstanbul "by night" \\ 1', null],
  ] as const)
    await member.call(`${base}/cards/create`, { title, description, group_id })
  assert.deepEqual(titles(await member.call(`${base}/cards/search`, { query: 'RED paint' })), [
    'Order 100 % red paint',
    'Paint the red door',
  ])
  assert.deepEqual(titles(await member.call(`${base}/cards/search`, { query: 'winter' })), [
    'Paint the red door',
  ])
  assert.deepEqual(titles(await member.call(`${base}/cards/search`, { query: '%' })), [
    'Order 100 % red paint',
  ])
  assert.deepEqual(titles(await member.call(`${base}/cards/search`, { query: '_' })), [])
  for (const query of ['İstanbul', 'istanbul', '"BY', '\\'])
    assert.equal((await member.call(`${base}/cards/search`, { query })).cards.length, 1, query)
  const [first] = (await member.call(`${base}/cards/search`, { query: 'winter' })).cards
  assert.deepEqual([first?.board_title, first?.group_title, first?.position], ['Board', 'To do', 1])
})

test('200 the open ones of the caller', async () => {
  const { member, members, cardIds } = await createBoard(service, { cards: 4 })
  const [open, closed, dismissed] = cardIds as [number, number, number]
  const owner_id = members.member.id
  await member.call(`${base}/cards/update`, { id: open, owner_id })
  await member.call(`${base}/cards/update`, { id: closed, owner_id, status: 'closed' })
  await member.call(`${base}/cards/update`, { id: dismissed, owner_id, is_active: false })
  const ids = async (input: object) =>
    (await member.call(`${base}/cards/search`, input)).cards.map(({ id }) => id)
  assert.deepEqual(await ids({ is_mine: true }), [dismissed, closed, open])
  assert.deepEqual(await ids({ is_mine: true, is_open: true }), [open])
  assert.deepEqual(await ids({ is_mine: true, is_open: false }), [dismissed, closed])
})

test('200 a page at a time, without what was deleted or belongs to a board that is', async () => {
  const { member, admin, cardIds, boardId } = await createBoard(service, { cards: 5 })
  await member.call(`${base}/cards/delete`, { id: cardIds[2] as number })
  const first = await member.call(`${base}/cards/search`, { limit: 3 })
  const rest = await member.call(`${base}/cards/search`, { limit: 3, cursor: first.next_cursor })
  assert.deepEqual(
    [...first.cards, ...rest.cards].map(({ id }) => id),
    [cardIds[4], cardIds[3], cardIds[1], cardIds[0]],
  )
  assert.equal(rest.next_cursor, null)
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.deepEqual((await member.call(`${base}/cards/search`)).cards, [])
})

test('403 in another project, 422 for a cursor that is none', async () => {
  const { members } = await createBoard(service)
  const { projectId } = await createBoard(service)
  const client = service.client(members.member.token, { 'x-project-id': String(projectId) })
  assert.equal((await client.attempt(`${base}/cards/search`)).status, 403)
  const own = service.client(members.member.token)
  assert.equal((await own.attempt(`${base}/cards/search`, { cursor: 'x' })).status, 422)
})

test('200 as many words as there is room for, in as many long descriptions as a person can make', async () => {
  const { member, projectId, boardId, groupIds } = await createBoard(service)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const text = `${letters}${[...letters].toReversed().join('')}`
  const words = [...letters, ...Array.from(text, (_letter, at) => text.slice(at, at + 2))]
  const { sql } = service.db
  await sql`
    insert into cards (project_id, board_id, group_id, title, description, sort_order)
    select ${projectId}, ${boardId}, ${groupIds[0] as number}, 'Long', repeat(${text}, 1200), 1 from generate_series(1, 1000)`
  const { cards } = await member.call(`${base}/cards/search`, { query: words.join(' '), limit: 200 })
  assert.equal(cards.length, 200)
})
