// The events of what is restored: a client can show it without another reading, except for long texts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { longTexts, mostCardsInEvent } from '#events/catalogue.ts'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const base = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db

/** A client knows these without the payload, or reads them with the long texts. */
const untold = new Set([
  'id',
  'project_id',
  'platform_id',
  'board_id',
  'is_master',
  'is_overdue',
  'updated_at',
  'description_format',
  'card_type',
  ...longTexts,
])

/** What the event of a thing has to say. */
const told = (thing: Record<string, unknown>) => {
  const values = Object.entries(thing).filter(([name, value]) => value !== null && !untold.has(name))
  const texts = longTexts.filter((name) => typeof thing[name] === 'string')
  return { ...Object.fromEntries(values), ...(texts.length > 0 && { texts }) }
}

const newest = async (projectId: number, kind: string) => {
  const [event] = await sql<{ data: { cards_count?: number; cards?: { position: number }[] } }[]>`
    select data from events where project_id = ${projectId} and kind = ${kind} order by id desc limit 1`
  return event?.data
}

/** Gives every field of a card a value. */
async function fill(id: number, userId: number) {
  await sql`
    update cards set description = 'Long', short_description = 'Longer', status = 'closed', priority = 'high', owner_id = ${userId},
      due_date = now(), due_is_date = true, snoozed_until = now(), master_card_id = -id, unique_identifier = 'unique' || id, evaluation_check = 'check',
      evaluated_check = 'check', evaluation_passed = true, evaluated_at = now(), evaluated_by = ${userId}, needs_confirmation = true,
      tour_key = 'tour', is_active = false
    where id = ${id}`
}

test('the events of a new and of a restored card have all of its short values', async () => {
  const { admin, projectId, members, groupIds } = await createBoard(service, { cards: 1 })
  const { tag } = await admin.call(`${base}/tags/create`, { name: 'Tag', color: 'red' })
  assert.deepEqual(await newest(projectId, 'tag.created'), { tag_id: tag.id, ...told(tag) })
  const { card } = await admin.call(`${base}/cards/create`, {
    title: 'New',
    description: 'Long',
    group_id: groupIds[0] as number,
    tag_id: tag.id,
  })
  const { card_type: _type, ...created } = card
  assert.deepEqual(await newest(projectId, 'card.created'), told(created))
  const { id } = card
  await fill(id, members.member.id)
  await admin.call(`${base}/cards/delete`, { id })
  const { card: restored } = await admin.call(`${base}/cards/restore`, { id })
  assert.deepEqual(await newest(projectId, 'card.restored'), told(restored))
  assert.equal(Object.values(restored).filter((value) => value === null).length, 1, 'all but deleted_at')
})

test('the event of a restored group has the group and its cards in their order', async () => {
  const { admin, projectId, members, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [id] = groupIds as [number]
  const [filled, deletedBefore, last] = cardIds as [number, number, number]
  const looks = { description: 'Long', type: 'x', color: 'red', icon: 'star', is_collapsed: true }
  await admin.call(`${base}/groups/update`, { id, ...looks })
  await fill(filled, members.member.id)
  await admin.call(`${base}/cards/move`, { id: filled, position: 3 })
  await admin.call(`${base}/cards/delete`, { id: deletedBefore })
  await admin.call(`${base}/groups/delete`, { id })
  const { group } = await admin.call(`${base}/groups/restore`, { id })
  const data = await newest(projectId, 'group.restored')
  const { board } = await admin.call(`${base}/boards/get`, { id: boardId })
  const { cards } = board.groups[0] as (typeof board.groups)[0]
  assert.deepEqual(
    cards.map((card) => card.id),
    [last, filled],
  )
  assert.deepEqual(data, {
    group_id: id,
    ...told(group),
    cards_count: 2,
    cards: cards.map((card) => ({ card_id: card.id, ...told(card) })),
  })
  const { activity } = await admin.call(`${base}/activity/list`, { board_id: boardId, limit: 1 })
  assert.deepEqual(activity[0]?.data, { group_id: id, ...told(group), cards_count: 2 })
})

test('the event includes the cards if there are few', async () => {
  const { admin, projectId, boardId, groupIds } = await createBoard(service)
  const [id] = groupIds as [number]
  const restored = async () => {
    await admin.call(`${base}/groups/delete`, { id })
    await admin.call(`${base}/groups/restore`, { id })
    return newest(projectId, 'group.restored')
  }
  assert.deepEqual((await restored())?.cards, [])
  const add = (count: number) => sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${projectId}, ${boardId}, ${id}, 'Card', number from generate_series(1, ${count}) number`
  await add(mostCardsInEvent)
  const numbers = Array.from({ length: mostCardsInEvent }, (_, index) => index + 1)
  assert.deepEqual(
    (await restored())?.cards?.map(({ position }) => position),
    numbers,
  )
  await sql`update cards set title = repeat('漢', 255) where project_id = ${projectId}`
  assert.equal((await restored())?.cards, undefined)
  await add(1)
  const data = await restored()
  assert.deepEqual([data?.cards_count, data?.cards], [mostCardsInEvent + 1, undefined])
})

test('a group that is restored again and again lists its cards only as long as all these lists are short', async () => {
  const { admin, projectId, boardId, groupIds } = await createBoard(service)
  const [id, other] = groupIds as [number, number]
  await sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${projectId}, ${boardId}, ${id}, repeat('x', 250), number from generate_series(1, 45) number`
  /** Whether its event lists the cards. */
  const restores = async () => {
    await admin.call(`${base}/groups/delete`, { id })
    await admin.call(`${base}/groups/restore`, { id })
    return (await newest(projectId, 'group.restored'))?.cards !== undefined
  }
  const listed: boolean[] = []
  for (let count = 0; count < 4; count++) listed.push(await restores())
  assert.deepEqual(listed, [true, true, true, false])
  for (let count = 0; count < 100; count++)
    await admin.call(`${base}/groups/update`, { id: other, title: `Title ${count}` })
  assert.equal(await restores(), true)
})

test('the events of a new and of a restored board have the fields of the list', async () => {
  const { admin, projectId } = await createBoard(service)
  const looks = { description: 'Long', color: 'red', icon: 'star' }
  const { board } = await admin.call(`${base}/boards/create`, { title: 'Second', ...looks })
  assert.deepEqual(await newest(projectId, 'board.created'), told(board))
  const { id } = board
  const { group } = await admin.call(`${base}/groups/create`, { board_id: id, title: 'Group', ...looks })
  assert.deepEqual(await newest(projectId, 'group.created'), { group_id: group.id, ...told(group) })
  for (const [title, due_date] of [['Overdue', '2020-01-01'], ['Open'], ['Closed', '2020-01-01']])
    await admin.call(`${base}/cards/create`, {
      title: title as string,
      group_id: group.id,
      due_date: due_date ?? null,
      status: title === 'Closed' ? 'closed' : 'open',
    })
  await admin.call(`${base}/boards/delete`, { id })
  await admin.call(`${base}/boards/restore`, { id })
  const { boards } = await admin.call(`${base}/boards/list`)
  const shown = boards.find((one) => one.id === id) as (typeof boards)[0]
  assert.deepEqual([shown.cards_count, shown.open_cards_count, shown.overdue_cards_count], [3, 2, 1])
  assert.deepEqual(await newest(projectId, 'board.restored'), {
    board_id: id,
    ...told(shown),
    texts: ['description'],
  })
})
