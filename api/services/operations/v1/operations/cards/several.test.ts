// update-many, delete-many, restore-many, create-many and duplicate.
import assert from 'node:assert/strict'
import test from 'node:test'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const cards = `${operations}/cards` as const
const service = await startTestService()
const { projectId, members, admin, member, boardId, groupIds } = await createBoard(service)
const [todo, doing, done] = groupIds as [number, number, number]
const elsewhere = await createBoard(service, { cards: 1 })
const unknown = 999_999_999

const newCards = async (count: number, client = member, group_id = todo) => {
  const titles = Array.from({ length: count }, (_, index) => `Card ${index + 1}`)
  return (await client.call(`${cards}/create-many`, { titles, group_id })).cards.map(({ id }) => id)
}
const readBoard = async (id = boardId) => (await member.call(`${operations}/boards/get`, { id })).board
const idsIn = async (groupId: number, board = boardId) => {
  const listed = (await readBoard(board)).groups.find(({ id }) => id === groupId)?.cards ?? []
  assert.deepEqual(
    listed.map(({ position }) => position),
    listed.map((_, index) => index + 1),
  )
  return listed.map(({ id }) => id)
}
const read = async (id: number) => (await member.call(`${cards}/get`, { id })).card
const newestEvents = (count: number) => service.db.sql<{ id: number; kind: string; card_id: number }[]>`
  select id, kind, card_id from (
    select id, kind, card_id from events where project_id = ${projectId} order by id desc limit ${count}) newest
  order by id`
const emptyGroup = async (board_id = boardId) =>
  (await admin.call(`${operations}/groups/create`, { board_id, title: 'x' })).group.id

test('200 update-many changes what each entry names, in one batch of events, and counts what changed', async () => {
  const [a, b, c] = (await newCards(3)) as [number, number, number]
  const { tag } = await admin.call(`${operations}/tags/create`, { name: 'Together' })
  const owner_id = members.member.id
  const changed = await member.call(`${cards}/update-many`, {
    cards: [
      { id: a, status: 'in_progress', owner_id, tag_id: tag.id, due_date: '2030-01-31', due_is_date: true },
      { id: b, priority: 'high', snoozed_until: '2030-01-01T08:00:00Z' },
      { id: c, status: 'open' },
    ],
  })
  const first = await read(a)
  assert.deepEqual(changed, { updated_count: 2, changed_at: first.updated_at })
  assert.deepEqual(
    [first.status, first.owner_id, first.tag_id, first.due_date],
    ['in_progress', owner_id, tag.id, '2030-01-31T23:59:59.999Z'],
  )
  const second = await read(b)
  assert.deepEqual([second.priority, second.snoozed_until], ['high', '2030-01-01T08:00:00.000Z'])
  const events = await newestEvents(2)
  assert.deepEqual(
    events.map(({ kind, card_id }) => [kind, card_id]),
    [
      ['card.updated', a],
      ['card.updated', b],
    ],
  )
  assert.equal(events[1]?.id, (events[0]?.id as number) + 1)
  await member.call(`${cards}/update-many`, { cards: [{ id: a, owner_id: null, due_date: null }] })
  assert.deepEqual([(await read(a)).owner_id, (await read(a)).due_date], [null, null])
  await assertSizesTrue(service.db)
})

test('200 update-many moves cards in their order, also to another board, and back to their positions', async () => {
  const group = await emptyGroup()
  const ids = await newCards(5, member, group)
  const [a, b, c, d, e] = ids as [number, number, number, number, number]
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Other' })
  const there = await emptyGroup(board.id)
  await member.call(`${cards}/update-many`, {
    cards: [d, b].map((id) => ({ id, group_id: there })),
  })
  assert.deepEqual(await idsIn(group), [a, c, e])
  assert.deepEqual(await idsIn(there, board.id), [d, b])
  await member.call(`${cards}/update-many`, {
    cards: [
      { id: b, group_id: group, position: 2 },
      { id: d, group_id: group, position: 4 },
    ],
  })
  assert.deepEqual(await idsIn(group), ids)
  await assertSizesTrue(service.db)
})

test('200 update-many into a group of type done closes cards, and gives them their status back', async () => {
  await admin.call(`${operations}/groups/update`, { id: done, type: 'done' })
  await admin.call(`${operations}/boards/update`, { id: boardId, done_closes_cards: true })
  const ids = await newCards(2)
  const to = (group_id: number) =>
    member.call(`${cards}/update-many`, { cards: ids.map((id) => ({ id, group_id })) })
  await member.call(`${cards}/update-many`, { cards: ids.map((id) => ({ id, status: 'blocked' })) })
  await to(done)
  assert.equal((await read(ids[0] as number)).status, 'closed')
  await to(todo)
  assert.equal((await read(ids[1] as number)).status, 'blocked')
})

test('422 and 403 update-many: one bad entry, and nothing is changed', async () => {
  const [id, other] = (await newCards(2)) as [number, number]
  const archivedId = await emptyGroup()
  await admin.call(`${operations}/groups/archive`, { id: archivedId })
  const { tag } = await admin.call(`${operations}/tags/create`, { name: 'Old' })
  await admin.call(`${operations}/tags/update`, { id: tag.id, is_active: false })
  const good = { id: other, status: 'blocked' }
  const cases: [object[], number, Record<string, string[]>][] = [
    [[good, { id, owner_id: unknown }], 422, { 'cards.1.owner_id': ['not_found'] }],
    [
      [good, { id, tag_id: unknown, group_id: unknown }],
      422,
      { 'cards.1.tag_id': ['not_found'], 'cards.1.group_id': ['not_found'] },
    ],
    [[good, { id, tag_id: tag.id }], 422, { 'cards.1.tag_id': ['inactive'] }],
    [[good, { id, group_id: archivedId }], 422, { 'cards.1.group_id': ['archived'] }],
    [[good, { id, group_id: elsewhere.groupIds[0] }], 403, {}],
    [[good, { id: unknown, status: 'open' }], 422, { 'cards.1.id': ['not_found'] }],
    [[good, good], 422, { 'cards.0.id': ['repeated'], 'cards.1.id': ['repeated'] }],
    [[good, { id: elsewhere.cardIds[0], status: 'open' }], 403, {}],
  ]
  for (const [entries, status, codes] of cases) {
    const path = `${cards}/update-many`.replace('/v1/', '/v2/')
    const response = await service.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${members.member.token}` },
      body: JSON.stringify({ cards: entries }),
    })
    const body = (await response.json()) as { codes?: object }
    assert.equal(response.status, status, JSON.stringify(body))
    assert.deepEqual(body.codes ?? {}, codes)
  }
  assert.equal((await read(other)).status, 'open')
})

test('422 cards of two projects of one person are refused together, by all operations on several', async () => {
  const user = await service.addUser({ roles: { [projectId]: 'admin', [elsewhere.projectId]: 'admin' } })
  const client = service.client(user.token)
  const [own] = (await newCards(1)) as [number]
  const there = elsewhere.cardIds[0] as number
  const entries = [{ id: own, status: 'blocked' }, { id: there }]
  assert.deepEqual((await client.attempt(`${cards}/update-many`, { cards: entries })).status, 422)
  assert.deepEqual((await client.attempt(`${cards}/delete-many`, { ids: [own, there] })).status, 422)
  assert.equal((await read(own)).status, 'open')
  const inOther = await service.client(elsewhere.members.admin.token).call(`${cards}/create-many`, {
    titles: ['x'],
    group_id: elsewhere.groupIds[0] as number,
  })
  const ids = [own, inOther.cards[0]?.id as number]
  for (const id of ids) await client.call(`${cards}/delete`, { id })
  assert.deepEqual((await client.attempt(`${cards}/restore-many`, { ids })).status, 422)
})

test('200 delete-many with comments, and restore-many to the same places; the trash lists each card', async () => {
  const group = await emptyGroup()
  const ids = await newCards(4, member, group)
  const [a, b, c, d] = ids as [number, number, number, number]
  await member.call(`${operations}/comments/create`, { card_id: b, comment: 'Kept' })
  await member.call(`${cards}/delete-many`, { ids: [b, c] })
  assert.deepEqual(await idsIn(group), [a, d])
  assert.deepEqual(
    (await newestEvents(2)).map(({ kind, card_id }) => [kind, card_id]),
    [
      ['card.deleted', b],
      ['card.deleted', c],
    ],
  )
  await assertSizesTrue(service.db)
  const page = await member.call(`${operations}/trash/list`, { limit: 1 })
  const next = await member.call(`${operations}/trash/list`, { limit: 1, cursor: page.next_cursor })
  assert.deepEqual([page.things[0]?.thing_id, next.things[0]?.thing_id].sort(), [b, c].sort())
  await member.call(`${cards}/restore-many`, { ids: [b, c] })
  assert.deepEqual(await idsIn(group), ids)
  assert.equal((await member.call(`${cards}/get`, { id: b })).comments[0]?.comment, 'Kept')
  await assertSizesTrue(service.db)
})

test('403 and 422 delete-many and restore-many: all or none', async () => {
  const [own] = (await newCards(1)) as [number]
  const [theirs] = (await newCards(1, admin)) as [number]
  const remove = (ids: number[], client = member) => client.attempt(`${cards}/delete-many`, { ids })
  const restore = (ids: number[], client = member) => client.attempt(`${cards}/restore-many`, { ids })
  const refused = await remove([own, theirs])
  assert.deepEqual(
    [refused.status, refused.ok || refused.message],
    [403, 'Members can delete only cards they created.'],
  )
  assert.equal((await remove([own, unknown])).status, 422)
  assert.equal((await remove([own, own])).status, 422)
  assert.equal((await remove([])).status, 422)
  assert.equal((await remove([own, elsewhere.cardIds[0] as number])).status, 403)
  assert.equal((await read(own)).deleted_at, null)
  assert.equal((await remove([own, theirs], admin)).status, 200)
  assert.equal((await restore([own, theirs])).status, 403)
  assert.equal((await restore([own, unknown])).status, 422)
  assert.equal((await restore([own, own])).status, 422)
  assert.equal((await restore([own, theirs], admin)).status, 200)
  // They are there already.
  assert.equal((await restore([own], admin)).status, 422)
})

test('400 restore-many without a group to return to', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Gone' })
  const group_id = await emptyGroup(board.id)
  const ids = await newCards(2, member, group_id)
  await member.call(`${cards}/delete-many`, { ids })
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  assert.equal((await member.attempt(`${cards}/restore-many`, { ids })).status, 400)
})

test('201 create-many: a card for each title, in their order, at the end of the group or of the first one', async () => {
  const group = await emptyGroup()
  const [first] = await newCards(1, member, group)
  const made = await member.call(`${cards}/create-many`, { titles: ['B', 'C'], group_id: group })
  assert.deepEqual(
    made.cards.map(({ title, position, status, created_by }) => [title, position, status, created_by]),
    [
      ['B', 2, 'open', members.member.id],
      ['C', 3, 'open', members.member.id],
    ],
  )
  assert.deepEqual(await idsIn(group), [first, ...made.cards.map(({ id }) => id)])
  for (const { id, ...sent } of made.cards) assert.deepEqual({ ...sent, id }, await read(id))
  const { cards: usual } = await member.call(`${cards}/create-many`, { titles: ['D'] })
  assert.equal(usual[0]?.group_id, todo)
})

test('422 create-many', async () => {
  const archivedId = await emptyGroup()
  await admin.call(`${operations}/groups/archive`, { id: archivedId })
  const attempt = (input: { titles: string[]; group_id?: number }) =>
    member.attempt(`${cards}/create-many`, input)
  for (const group_id of [archivedId, unknown])
    assert.equal((await attempt({ titles: ['x'], group_id })).status, 422)
  const long = await attempt({ titles: ['x', 'y'.repeat(256), ''] })
  assert.deepEqual(Object.keys(long.ok ? {} : (long.errors ?? {})), ['titles.1', 'titles.2'])
  assert.equal((await attempt({ titles: Array(501).fill('x') })).status, 422)
})

test('201 duplicate: below the card, or at the end or a position of another group, with what people wrote', async () => {
  const group = await emptyGroup()
  const ids = await newCards(2, member, group)
  const [a, b] = ids as [number, number]
  await member.call(`${cards}/update`, {
    id: a,
    description: '<p>Long <b>text</b></p>',
    short_description: 'Short',
    priority: 'urgent',
    status: 'in_progress',
    owner_id: members.member.id,
    due_date: '2030-01-31T08:00:00Z',
    snoozed_until: '2030-01-01T08:00:00Z',
  })
  await member.call(`${operations}/comments/create`, { card_id: a, comment: 'Stays' })
  const { card } = await admin.call(`${cards}/duplicate`, { id: a })
  const original = await read(a)
  const own = { id: card.id, created_by: members.admin.id, sort_order: 3, position: 2, snoozed_until: null }
  const times = { created_at: card.created_at, updated_at: card.updated_at }
  assert.deepEqual(card, { ...original, ...own, ...times })
  assert.deepEqual(await idsIn(group), [a, card.id, b])
  assert.equal((await member.call(`${cards}/get`, { id: card.id })).comments_count, 0)
  const copy = async (input: { group_id?: number; position?: number }) =>
    (await member.call(`${cards}/duplicate`, { id: a, ...input })).card
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Copies' })
  const there = await emptyGroup(board.id)
  const last = await copy({ group_id: there })
  const first = await copy({ group_id: there, position: 1 })
  assert.deepEqual(await idsIn(there, board.id), [first.id, last.id])
  await assertSizesTrue(service.db)
})

test('201 duplicate again and again below the same card, where the gap between ranks ends', async () => {
  const group = await emptyGroup()
  const [first, last] = (await newCards(2, member, group)) as [number, number]
  const made: number[] = []
  for (let number = 0; number < 45; number++)
    made.unshift((await member.call(`${cards}/duplicate`, { id: first })).card.id)
  assert.deepEqual(await idsIn(group), [first, ...made, last])
})

test('201 duplicate follows the rule of groups of type done', async () => {
  await admin.call(`${operations}/groups/update`, { id: done, type: 'done' })
  await admin.call(`${operations}/boards/update`, { id: boardId, done_closes_cards: true })
  const [id] = (await newCards(1)) as [number]
  const { card: closed } = await member.call(`${cards}/duplicate`, { id, group_id: done })
  assert.equal(closed.status, 'closed')
  const { card: open } = await member.call(`${cards}/duplicate`, { id: closed.id, group_id: doing })
  assert.equal(open.status, 'open')
})

test('403, 404 and 422 duplicate', async () => {
  const [id] = (await newCards(1)) as [number]
  const archivedId = await emptyGroup()
  await admin.call(`${operations}/groups/archive`, { id: archivedId })
  const attempt = (input: { id: number; group_id?: number }) => member.attempt(`${cards}/duplicate`, input)
  assert.equal((await attempt({ id: unknown })).status, 404)
  assert.equal((await attempt({ id, group_id: unknown })).status, 422)
  assert.equal((await attempt({ id, group_id: archivedId })).status, 422)
  assert.equal((await attempt({ id, group_id: elsewhere.groupIds[0] as number })).status, 403)
})

test('400 and 422 beyond the limits, and nothing is changed', async () => {
  const small = await startTestService({ quotas: { ...usualQuotas, cardsPerGroup: 3 } })
  const { member, groupIds } = await createBoard(small)
  const [one, two] = groupIds as [number, number]
  const create = (titles: string[], group_id: number) =>
    member.attempt(`${cards}/create-many`, { titles, group_id })
  assert.equal((await create(['a', 'b', 'c', 'd'], one)).status, 422)
  const made = await create(['a', 'b'], one)
  assert.ok(made.ok, JSON.stringify(made))
  assert.ok((await create(['c', 'd'], two)).ok)
  const ids = made.data.cards.map(({ id }) => id)
  const moves = { cards: ids.map((id) => ({ id, group_id: two, status: 'blocked' })) }
  assert.equal((await member.attempt(`${cards}/update-many`, moves)).status, 400)
  assert.equal((await member.call(`${cards}/get`, { id: ids[0] as number })).card.status, 'open')
  await member.call(`${cards}/delete-many`, { ids })
  await create(['e', 'f'], one)
  assert.equal((await member.attempt(`${cards}/restore-many`, { ids })).status, 400)
  await create(['g'], one)
  const [full] = (await member.call(`${cards}/search`, { query: 'g' })).cards
  assert.equal((await member.attempt(`${cards}/duplicate`, { id: full?.id as number })).status, 422)
  await assertSizesTrue(small.db)
})

test('cards that are moved to one place together leave the others where they are', async () => {
  const group = await emptyGroup()
  const others = await newCards(2, member, group)
  const ranks = () => service.db.sql<{ rank: number }[]>`
    select rank from cards where project_id = ${projectId} and id = any(${others}::bigint[]) order by id`
  const before = [...(await ranks())]
  const [behind, ahead] = [await newCards(100), await newCards(100)]
  const to = (id: number, position: number) => ({ id, group_id: group, position })
  await member.call(`${cards}/update-many`, { cards: behind.map((id, index) => to(id, index + 2)) })
  assert.deepEqual(await idsIn(group), [others[0], ...behind, others[1]])
  await member.call(`${cards}/update-many`, { cards: ahead.map((id) => to(id, 2)) })
  assert.deepEqual(await idsIn(group), [others[0], ...ahead.toReversed(), ...behind, others[1]])
  assert.deepEqual([...(await ranks())], before)
  const back = behind.map((id, index) => ({ id, position: index + 2 }))
  await member.call(`${cards}/update-many`, { cards: back })
  assert.deepEqual(await idsIn(group), [others[0], ...behind, ...ahead.toReversed(), others[1]])
})

test('cards in any order of positions space a list anew at most once', async () => {
  const group = await emptyGroup()
  const list = await newCards(300, member, group)
  const chosen = list.filter((_, index) => index % 3 === 0)
  // Each goes between the two before it, where there is ever less room.
  const places = chosen.map((_, index) => 150 + (index % 2) + Math.floor(index / 2))
  const moves = chosen.map((id, index) => ({ id, position: places[index] as number }))
  const expected = [...list]
  for (const { id, position } of moves) {
    expected.splice(expected.indexOf(id), 1)
    expected.splice(position - 1, 0, id)
  }
  const listEnds = async () => {
    const [sequence] = await service.db.sql<{ last_value: number }[]>`select last_value from list_ends`
    return sequence?.last_value as number
  }
  // As after many moves to one place.
  await service.db.sql`
    update cards c set rank = ordered.number * 5 from (
      select id, row_number() over (order by rank) as number from cards where project_id = ${projectId} and group_id = ${group}) ordered
    where c.project_id = ${projectId} and c.id = ordered.id`
  const before = await listEnds()
  const moved = await member.call(`${cards}/update-many`, { cards: moves })
  assert.equal(moved.updated_count, 100)
  assert.equal((await listEnds()) - before, list.length)
  assert.deepEqual(await idsIn(group), expected)
  await assertSizesTrue(service.db)
})

test('500 cards at once are changed, moved, deleted and restored', async () => {
  const group = await emptyGroup()
  const ids = await newCards(500, admin, group)
  const entries = ids.map((id) => ({ id, group_id: doing, priority: 'low' as const }))
  assert.equal((await admin.call(`${cards}/update-many`, { cards: entries })).updated_count, 500)
  assert.deepEqual((await idsIn(doing)).slice(-500), ids)
  await admin.call(`${cards}/delete-many`, { ids })
  await admin.call(`${cards}/restore-many`, { ids })
  assert.deepEqual((await idsIn(doing)).slice(-500), ids)
  await assertSizesTrue(service.db)
})
