// The whole board, and that what is kept of it is never shown when it is no longer true: on this instance and on another.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Registry } from '#api/registry.ts'
import type { Calls, Client } from '#contract/client.ts'
import { createBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { post } from '#tests/post.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/boards/get` as const
const service = await startTestService()
const second = await startTestService({}, service.address)

type Fixture = Awaited<ReturnType<typeof createBoard>>
type Api = Client<Calls<Registry>>

const read = async (client: Api, id: number) => (await client.call(path, { id })).board

/** The board as each instance shows it. */
const readBoth = ({ members, boardId }: Fixture) =>
  Promise.all([service, second].map((instance) => read(instance.client(members.viewer.token), boardId)))

test('200: v1 sends the board as JSON text, v2 as an object, with exact keys all the way down', async () => {
  const { projectId, members, member, boardId, groupIds, cardIds } = await createBoard(service, { cards: 2 })
  const { tag } = await member.call(`${operations}/tags/create`, { name: 'Urgent', color: 'red' })
  const { token, id: viewerId } = members.viewer
  assert.ok(viewerId)
  const v1 = await post<{ board: string }>(service, path, token, { id: boardId })
  const v2 = await post<{ board: Record<string, unknown> }>(service, path.replace('/v1/', '/v2/'), token, {
    id: boardId,
  })
  for (const { status, body } of [v1, v2]) {
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
    assert.deepEqual(Object.keys(body.data), ['board'])
  }
  const { board } = v2.body.data
  assert.equal(typeof v1.body.data.board, 'string')
  assert.deepEqual(JSON.parse(v1.body.data.board), inV1({ ...board, version: undefined }))
  const { groups, ...fields } = await read(member, boardId)
  assert.deepEqual({ ...fields, groups }, board)
  assert.deepEqual(Object.keys(board), [
    'id',
    'project_id',
    'platform_id',
    'master_board_id',
    'tool_key',
    'title',
    'description',
    'description_format',
    'icon',
    'color',
    'position',
    'is_master',
    'is_active',
    'done_closes_cards',
    'created_by',
    'created_at',
    'updated_at',
    'deleted_at',
    'version',
    'groups',
    'tags',
  ])
  const [first, ...others] = groups
  assert.deepEqual(Object.keys(first ?? {}), [
    'id',
    'project_id',
    'platform_id',
    'master_group_id',
    'board_id',
    'position',
    'created_by',
    'is_master',
    'is_collapsed',
    'is_active',
    'title',
    'description',
    'description_format',
    'type',
    'color',
    'icon',
    'created_at',
    'updated_at',
    'deleted_at',
    'cards',
  ])
  assert.deepEqual(
    others.map(({ id, cards }) => ({ id, cards })),
    groupIds.slice(1).map((id) => ({ id, cards: [] })),
  )
  const { card } = await member.call(`${operations}/cards/get`, { id: cardIds[1] as number })
  assert.deepEqual(first?.cards[1], card)
  assert.deepEqual(Object.keys(first?.cards[1] ?? {}), Object.keys(card))
  assert.equal(card.project_id, projectId)
  assert.deepEqual(fields.tags, [tag])
  assert.deepEqual(Object.keys(fields.tags[0] ?? {}), Object.keys(tag))
})

test('200 with the same bytes when it is asked for again', async () => {
  const { members, boardId } = await createBoard(service, { cards: 1 })
  const texts = []
  for (let i = 0; i < 3; i++)
    texts.push((await post(service, path, members.viewer.token, { id: boardId })).text)
  assert.equal(new Set(texts).size, 1)
})

test('dismissed and snoozed cards are in the board and count in positions; deleted ones are not and do not', async () => {
  const fixture = await createBoard(service, { cards: 4 })
  const [dismissed, snoozed, deleted] = fixture.cardIds as [number, number, number]
  await fixture.member.call(`${operations}/cards/update`, { id: dismissed, is_active: false })
  await fixture.member.call(`${operations}/cards/update`, { id: snoozed, snoozed_until: '2999-01-01' })
  await fixture.member.call(`${operations}/cards/delete`, { id: deleted })
  const { groups } = await read(fixture.member, fixture.boardId)
  assert.deepEqual(
    groups[0]?.cards.map(({ title, position }) => ({ title, position })),
    [
      { title: 'Card 1', position: 1 },
      { title: 'Card 2', position: 2 },
      { title: 'Card 4', position: 3 },
    ],
  )
})

test('404 for unknown ids, 422 for invalid ones, before and after the board was kept', async () => {
  const { members, boardId } = await createBoard(service)
  const { token } = members.viewer
  for (let i = 0; i < 2; i++) {
    for (const id of [0, -1, 999_999, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const { status, body } = await post(service, path, token, { id })
      assert.deepEqual(
        { status, body },
        { status: 404, body: { error: true, message: 'There is no board with this id.', data: [] } },
      )
    }
    for (const id of [
      String(boardId),
      boardId + 0.5,
      2 ** 53,
      1e300,
      [boardId],
      { id: boardId },
      true,
      null,
      '',
    ])
      assert.equal((await post(service, path, token, { id })).status, 422, JSON.stringify(id))
    await post(service, path, token, { id: boardId })
  }
})

test('403 for a board of another project, whether it is kept or not; 200 where the caller belongs, whatever X-Project-Id says', async () => {
  const mine = await createBoard(service)
  const foreign = await createBoard(service)
  for (let i = 0; i < 2; i++) {
    const { status, body } = await post(service, path, mine.members.owner.token, { id: foreign.boardId })
    assert.deepEqual(
      { status, body },
      { status: 403, body: { error: true, message: 'This action is unauthorized.' } },
    )
    await read(foreign.member, foreign.boardId)
  }
  const both = await service.addUser({ roles: { [mine.projectId]: 'viewer', [foreign.projectId]: 'viewer' } })
  const superadmin = await service.addUser({ superadmin: true })
  for (const { token } of [both, superadmin])
    for (const headers of [
      {},
      { 'x-project-id': String(mine.projectId) },
      { 'x-project-id': '999999' },
      { 'x-project-id': 'x' },
    ])
      for (const { boardId } of [mine, foreign])
        assert.equal((await read(service.client(token, headers as never), boardId)).id, boardId)
})

test('403 for every stranger and 200 for every member who read at the same time as the board changes', async () => {
  const mine = await createBoard(service)
  const stranger = await createBoard(service)
  for (let round = 0; round < 5; round++) {
    await mine.admin.call(`${operations}/boards/update`, { id: mine.boardId, title: `Round ${round}` })
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 3 === 2 ? stranger.member : mine.member).attempt(path, { id: mine.boardId }),
      ),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      results.map((_, index) => (index % 3 === 2 ? 403 : 200)),
    )
  }
})

const changes: [name: string, change: (fixture: Fixture) => Promise<unknown>][] = [
  [
    'a card is created',
    ({ member, groupIds }) =>
      member.call(`${operations}/cards/create`, { title: 'New', group_id: groupIds[1] as number }),
  ],
  [
    'a card is updated',
    ({ member, cardIds }) =>
      member.call(`${operations}/cards/update`, { id: cardIds[0] as number, title: 'Changed' }),
  ],
  [
    'a card is moved inside its group',
    ({ member, cardIds }) =>
      member.call(`${operations}/cards/move`, { id: cardIds[0] as number, position: 2 }),
  ],
  [
    'a card is moved to another group',
    ({ member, cardIds, groupIds }) =>
      member.call(`${operations}/cards/move`, { id: cardIds[0] as number, group_id: groupIds[2] as number }),
  ],
  [
    'a card is deleted',
    ({ member, cardIds }) => member.call(`${operations}/cards/delete`, { id: cardIds[0] as number }),
  ],
  [
    'a group is created',
    ({ admin, boardId }) => admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'New' }),
  ],
  [
    'a group is updated',
    ({ member, groupIds }) =>
      member.call(`${operations}/groups/update`, { id: groupIds[0] as number, is_collapsed: true }),
  ],
  [
    'a group is moved',
    ({ member, groupIds }) =>
      member.call(`${operations}/groups/update`, { id: groupIds[0] as number, position: 3 }),
  ],
  [
    'groups are reordered',
    ({ member, groupIds }) =>
      member.call(`${operations}/groups/reorder`, { groups: [{ id: groupIds[2] as number, position: 1 }] }),
  ],
  ['a tag is created', ({ member }) => member.call(`${operations}/tags/create`, { name: 'New' })],
  [
    'the board is updated',
    ({ admin, boardId }) => admin.call(`${operations}/boards/update`, { id: boardId, title: 'Changed' }),
  ],
  ['the tour is dismissed', ({ member }) => member.call(`${operations}/tour/cards/dismiss-all`)],
  [
    'a group is deleted',
    ({ admin, groupIds }) => admin.call(`${operations}/groups/delete`, { id: groupIds[0] as number }),
  ],
]

/** What the database says, read past everything that is kept. */
async function truth({ projectId, boardId }: Fixture) {
  const [row] = await service.db.sql`
    select (select json_agg(title order by rank) from groups where project_id = ${projectId} and board_id = ${boardId} and deleted_at is null) as groups,
      (select json_agg(title order by group_id, rank) from cards where project_id = ${projectId} and board_id = ${boardId} and deleted_at is null) as cards,
      (select json_agg(name order by rank) from tags where project_id = ${projectId} and deleted_at is null) as tags`
  return { groups: row?.['groups'], cards: row?.['cards'] ?? [], tags: row?.['tags'] ?? [] }
}

const summary = (board: Awaited<ReturnType<typeof read>>) => ({
  groups: board.groups.map(({ title }) => title),
  cards: board.groups.toSorted((a, b) => a.id - b.id).flatMap(({ cards }) => cards.map(({ title }) => title)),
  tags: board.tags.map(({ name }) => name),
})

/** A change is seen by the next read on both instances, which had both kept the board. */
async function assertSeen(fixture: Fixture, change: () => Promise<unknown>) {
  const [before] = await readBoth(fixture)
  await readBoth(fixture)
  await change()
  const after = await readBoth(fixture)
  assert.notDeepEqual(after[0], before)
  assert.deepEqual(after[1], after[0])
  assert.deepEqual(summary(after[0] as never), await truth(fixture))
  return after[0] as Awaited<ReturnType<typeof read>>
}

const changing = await createBoard(service, { cards: 3 })
await service.db.sql`update cards set tour_key = 'welcome' where id = ${changing.cardIds[2] as number}`
for (const [name, change] of changes)
  test(`the next read on every instance shows that ${name}`, async () => {
    await assertSeen(changing, () => change(changing))
  })

test('the next read on every instance shows that a card is restored', async () => {
  const fixture = await createBoard(service, { cards: 2 })
  const [id] = fixture.cardIds as [number]
  await fixture.member.call(`${operations}/cards/delete`, { id })
  await assertSeen(fixture, () => fixture.member.call(`${operations}/cards/restore`, { id }))
})

test('the next read on every instance shows that a tag is updated and deleted, and its cards lose it', async () => {
  const fixture = await createBoard(service, { cards: 1 })
  const { tag } = await fixture.member.call(`${operations}/tags/create`, { name: 'Tag' })
  await fixture.member.call(`${operations}/cards/update`, {
    id: fixture.cardIds[0] as number,
    tag_id: tag.id,
  })
  const renamed = await assertSeen(fixture, () =>
    fixture.member.call(`${operations}/tags/update`, { id: tag.id, name: 'Renamed' }),
  )
  assert.equal(renamed.tags[0]?.name, 'Renamed')
  const without = await assertSeen(fixture, () =>
    fixture.member.call(`${operations}/tags/delete`, { id: tag.id }),
  )
  assert.deepEqual([without.tags, without.groups[0]?.cards[0]?.tag_id], [[], null])
})

test('both boards show that a card has moved from one to the other', async () => {
  const fixture = await createBoard(service, { cards: 1 })
  const { board } = await fixture.admin.call(`${operations}/boards/create`, { title: 'Second' })
  const { group } = await fixture.admin.call(`${operations}/groups/create`, {
    board_id: board.id,
    title: 'There',
  })
  const target = { ...fixture, boardId: board.id }
  await readBoth(target)
  await assertSeen(fixture, () =>
    fixture.member.call(`${operations}/cards/move`, { id: fixture.cardIds[0] as number, group_id: group.id }),
  )
  for (const { groups } of await readBoth(target)) assert.equal(groups[0]?.cards.length, 1)
})

test('a board shows its new position after another one was moved or deleted', async () => {
  const fixture = await createBoard(service)
  const { board } = await fixture.admin.call(`${operations}/boards/create`, { title: 'Second' })
  const positions = async () => (await readBoth(fixture)).map(({ position }) => position)
  assert.deepEqual(await positions(), [1, 1])
  await fixture.admin.call(`${operations}/boards/update`, { id: board.id, position: 1 })
  assert.deepEqual(await positions(), [2, 2])
  await fixture.admin.call(`${operations}/boards/delete`, { id: board.id })
  assert.deepEqual(await positions(), [1, 1])
})

test('a change through the other instance is seen here', async () => {
  const fixture = await createBoard(service)
  const admin = second.client(fixture.members.admin.token)
  const { title } = await assertSeen(fixture, () =>
    admin.call(`${operations}/boards/update`, { id: fixture.boardId, title: 'From there' }),
  )
  assert.equal(title, 'From there')
})

test('404 on every instance once the board is deleted', async () => {
  const fixture = await createBoard(service)
  await readBoth(fixture)
  await fixture.admin.call(`${operations}/boards/delete`, { id: fixture.boardId })
  for (const instance of [service, second])
    assert.equal(
      (await instance.client(fixture.members.viewer.token).attempt(path, { id: fixture.boardId })).status,
      404,
    )
})

test('every read shows the last write before it, while many read at the same time', async () => {
  const fixture = await createBoard(service, { cards: 1 })
  let isWriting = true
  const readers = Array.from({ length: 2 }, async () => {
    while (isWriting) await readBoth(fixture)
  })
  for (let number = 1; number <= 8; number++) {
    const title = `Title ${number}`
    await fixture.admin.call(`${operations}/boards/update`, { id: fixture.boardId, title })
    assert.deepEqual(
      (await readBoth(fixture)).map((board) => board.title),
      [title, title],
    )
  }
  isWriting = false
  await Promise.all(readers)
})

test('a read that begins after a write does not share one that began before it', async () => {
  const { projectId, boardId, groupIds, members, admin } = await createBoard(service)
  // So large that a write fits into the time in which it is read.
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order)
    select ${projectId}, ${boardId}, ${groupIds[0] as number}, 'Card', n from generate_series(1, 3000) n`
  const write = (title: string) => admin.call(`${operations}/boards/update`, { id: boardId, title })
  const titleShown = async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${members.viewer.token}` }
    const init = { method: 'POST', headers, body: JSON.stringify({ id: boardId }) }
    const text = await (await fetch(`${service.url}/api${path.replace('/v1/', '/v2/')}`, init)).text()
    return /"title":"(\w+)"/.exec(text)?.[1]
  }
  for (let round = 1; round <= 3; round++) {
    await write(`Before${round}`)
    const earlier = titleShown()
    await write(`After${round}`)
    assert.equal(await titleShown(), `After${round}`)
    await earlier
  }
})

test('a board is kept until an event: changes made directly in the database are not seen', async () => {
  const { member, boardId } = await createBoard(service)
  await read(member, boardId)
  await service.db.sql`update boards set title = 'Past the service' where id = ${boardId}`
  assert.equal((await read(member, boardId)).title, 'Board')
})

test('is_overdue turns true when the due date passes, on every instance, without any change', async () => {
  const fixture = await createBoard(service, { cards: 3 })
  const [soon, later, closed] = fixture.cardIds as [number, number, number]
  const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
  const due = inMilliseconds(1000)
  await fixture.member.call(`${operations}/cards/update`, { id: soon, due_date: due })
  await fixture.member.call(`${operations}/cards/update`, { id: later, due_date: inMilliseconds(1500) })
  await fixture.member.call(`${operations}/cards/update`, { id: closed, due_date: due, status: 'closed' })
  const overdue = async () =>
    (await readBoth(fixture)).map(({ groups }) => groups[0]?.cards.map((card) => card.is_overdue))
  const none = [false, false, false]
  assert.deepEqual(await overdue(), [none, none])
  const all = [true, true, false]
  await eventually(async () => assert.deepEqual(await overdue(), [all, all]), 5000)
})
