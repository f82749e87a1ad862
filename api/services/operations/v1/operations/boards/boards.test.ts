import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const boards = `${operations}/boards` as const
const service = await startTestService()

const keys = [
  'id',
  'project_id',
  'platform_id',
  'master_board_id',
  'tool_key',
  'title',
  'description',
  'icon',
  'color',
  'position',
  'is_master',
  'is_active',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
]

const laterThanV1: Record<string, string> = {
  description: 'description_format',
  is_active: 'done_closes_cards',
}

/** The fields that came later follow others. */
const keysIn = (path: string) =>
  keys.flatMap((key) => (path.includes('/v2/') && laterThanV1[key] ? [key, laterThanV1[key]] : key))

type Row = Record<string, unknown> & { id: number; title: string; position: number }

/** A project with a user of one role, without any board. */
async function emptyProject(
  role: 'viewer' | 'member' | 'admin' | 'owner' = 'admin',
  toolKeys: string[] = [],
) {
  const projectId = await service.addProject('Project', toolKeys)
  const user = await service.addUser({ roles: { [projectId]: role } })
  return { projectId, user, client: service.client(user.token) }
}

async function boardsNamed(...titles: string[]) {
  const project = await emptyProject()
  const ids: number[] = []
  for (const title of titles) ids.push((await project.client.call(`${boards}/create`, { title })).board.id)
  const order = async () => (await project.client.call(`${boards}/list`)).boards.map(({ title }) => title)
  const positions = async () =>
    (await project.client.call(`${boards}/list`)).boards.map((board) => board.position)
  return { ...project, ids, order, positions }
}

const eventsOf = async (projectId: number) =>
  (await service.db.sql`select kind from events where project_id = ${projectId} order by id`).map(
    (row) => row['kind'],
  )

test('201 create: the exact board, with nothing but a title', async () => {
  const { projectId, user } = await emptyProject()
  for (const path of [`${boards}/create`, `${boards}/create`.replace('/v1/', '/v2/')]) {
    const { status, body } = await post<{ board: Row }>(service, path, user.token, { title: '  Launch ' })
    const { board } = body.data
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
    assert.deepEqual(Object.keys(board), keysIn(path))
    assert.deepEqual(board, {
      id: board.id,
      project_id: projectId,
      platform_id: 1,
      master_board_id: null,
      tool_key: null,
      title: 'Launch',
      description: null,
      ...(path.includes('/v2/') && { description_format: 'text', done_closes_cards: true }),
      icon: null,
      color: null,
      position: path.includes('/v1/') ? 1 : 2,
      is_master: false,
      is_active: true,
      created_by: user.id,
      created_at: board['created_at'],
      updated_at: board['created_at'],
      deleted_at: null,
    })
    assert.match(String(board['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})

test('201 create with every field at its limit; HTML in the description is cleaned', async () => {
  const { client } = await emptyProject('owner', ['shop'])
  const { board } = await client.call(`${boards}/create`, {
    title: '🐦'.repeat(255),
    description: '<p onclick="x()">Hello <script>alert(1)</script><b>you</b></p>',
    tool_key: 'shop',
    icon: 'i'.repeat(100),
    color: 'c'.repeat(50),
  })
  assert.equal(board.title, '🐦'.repeat(255))
  assert.equal(board.description, '<p>Hello <b>you</b></p>')
  assert.deepEqual([board.tool_key, board.icon, board.color], ['shop', 'i'.repeat(100), 'c'.repeat(50)])
})

test('422 create for fields over their limits, all at once, and for a tool that the project does not have', async () => {
  const { client, projectId } = await emptyProject('admin', ['website'])
  const tooLong = await client.attempt(`${boards}/create`, {
    title: 't'.repeat(256),
    tool_key: 'k'.repeat(101),
    icon: 'i'.repeat(101),
    color: 'c'.repeat(51),
  })
  assert.ok(!tooLong.ok && tooLong.status === 422)
  assert.deepEqual(Object.keys(tooLong.errors), ['title', 'tool_key', 'icon', 'color'])
  const noTool = await client.attempt(`${boards}/create`, { title: 'Shop', tool_key: 'shop' })
  assert.ok(!noTool.ok && noTool.status === 422)
  assert.deepEqual(noTool.errors, { tool_key: ['The selected tool key is invalid.'] })
  for (const title of ['', '   ', 'a\0b', '\ud800'])
    assert.equal((await client.attempt(`${boards}/create`, { title })).status, 422, JSON.stringify(title))
  assert.deepEqual(await eventsOf(projectId), [])
})

test('create and list act in the project of X-Project-Id, with the role that the caller has there', async () => {
  const one = await service.addProject()
  const two = await service.addProject()
  const foreign = await service.addProject()
  const { token } = await service.addUser({ roles: { [one]: 'admin', [two]: 'member' } })
  const status = async (projectId: string, path: `${typeof boards}/${'create' | 'list'}`) =>
    (await service.client(token, { 'x-project-id': projectId }).attempt(path, { title: 'Here' })).status
  assert.equal(await status(String(one), `${boards}/create`), 201)
  assert.equal(await status(String(two), `${boards}/create`), 403)
  assert.equal(await status(String(two), `${boards}/list`), 200)
  for (const action of ['create', 'list'] as const) {
    assert.equal(await status(String(foreign), `${boards}/${action}`), 403)
    assert.equal(await status('999999999', `${boards}/${action}`), 403)
    assert.equal(await status('first', `${boards}/${action}`), 422)
  }
  const rows = await service.db
    .sql`select project_id from boards where project_id in (${one}, ${two}, ${foreign})`
  assert.deepEqual([...rows], [{ project_id: one }])
})

test('200 list with an empty body: the exact entries with counts, in both versions', async () => {
  const { members, member, boardId, groupIds, cardIds, projectId } = await createBoard(service, { cards: 5 })
  const [closed, overdue, dismissed, deleted] = cardIds as [number, number, number, number]
  const past = '2020-01-01'
  await member.call(`${operations}/cards/update`, { id: closed, status: 'closed', due_date: past })
  await member.call(`${operations}/cards/update`, { id: overdue, due_date: past })
  await member.call(`${operations}/cards/update`, { id: dismissed, due_date: past, is_active: false })
  await member.call(`${operations}/cards/delete`, { id: deleted })
  assert.equal(groupIds.length, 3)
  for (const path of [`${boards}/list`, `${boards}/list`.replace('/v1/', '/v2/')]) {
    const { status, body } = await post<{ boards: Row[] }>(service, path, members.viewer.token)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data), ['boards'])
    const [entry] = body.data.boards
    assert.equal(body.data.boards.length, 1)
    assert.deepEqual(Object.keys(entry as Row), [
      ...keysIn(path),
      'groups_count',
      'cards_count',
      'open_cards_count',
      'overdue_cards_count',
    ])
    const { id, project_id, groups_count, cards_count, open_cards_count, overdue_cards_count } = entry as Row
    assert.deepEqual(
      { id, project_id, groups_count, cards_count, open_cards_count, overdue_cards_count },
      {
        id: boardId,
        project_id: projectId,
        groups_count: 3,
        cards_count: 4,
        open_cards_count: 2,
        overdue_cards_count: 1,
      },
    )
  }
})

test('200 the list counts overdue cards by the date where the caller is', async () => {
  const { member, cardIds } = await createBoard(service, { cards: 1 })
  const due = { id: cardIds[0] as number, due_date: '2026-11-16', due_is_date: true }
  await member.call(`${operations}/cards/update`, due)
  const overdueOn = async (today?: string) => {
    const { boards: listed } = await member.call(`${boards}/list`, today === undefined ? {} : { today })
    return listed[0]?.overdue_cards_count
  }
  assert.equal(await overdueOn('2026-11-16'), 0)
  assert.equal(await overdueOn('2026-11-16T23:30:00-05:00'), 0)
  assert.equal(await overdueOn('2026-11-17'), 1)
})

test('list takes tool_key from the body, else from the query', async () => {
  const { client, user } = await emptyProject('admin', ['shop', 'website'])
  for (const tool_key of ['shop', 'website', null])
    await client.call(`${boards}/create`, { title: String(tool_key), tool_key })
  const titles = async (query: string, input?: object) => {
    const { status, body } = await post<{ boards: Row[] }>(
      service,
      `${boards}/list${query}`,
      user.token,
      input,
    )
    assert.equal(status, 200)
    return body.data.boards.map(({ title }) => title)
  }
  assert.deepEqual(await titles(''), ['shop', 'website', 'null'])
  assert.deepEqual(await titles('', {}), ['shop', 'website', 'null'])
  assert.deepEqual(await titles('', { tool_key: null }), ['shop', 'website', 'null'])
  assert.deepEqual(await titles('', { tool_key: 'shop' }), ['shop'])
  assert.deepEqual(await titles('?tool_key=website'), ['website'])
  assert.deepEqual(await titles('?tool_key=website', { tool_key: null }), ['website'])
  assert.deepEqual(await titles('?tool_key=website', { tool_key: 'shop' }), ['shop'])
  assert.deepEqual(await titles('?tool_key=unknown'), [])
  assert.deepEqual(await titles('?tool_key='), ['shop', 'website', 'null'])
  assert.deepEqual(await titles(`?tool_key=${'k'.repeat(101)}`), [])
})

test('list leaves out boards that are inactive, deleted, of a tool that was taken away, or of another project', async () => {
  const { client, projectId } = await emptyProject('admin', ['shop'])
  await boardsNamed('Foreign')
  const ids = []
  for (const title of ['Inactive', 'Deleted', 'Tool', 'Shown'])
    ids.push(
      (await client.call(`${boards}/create`, { title, ...(title === 'Tool' && { tool_key: 'shop' }) })).board
        .id,
    )
  const [inactive, deleted] = ids as [number, number]
  await client.call(`${boards}/update`, { id: inactive, is_active: false })
  await client.call(`${boards}/delete`, { id: deleted })
  await service.db.sql`update projects set tool_keys = '[]' where id = ${projectId}`
  const { boards: listed } = await client.call(`${boards}/list`)
  assert.deepEqual(
    listed.map(({ title }) => title),
    ['Shown'],
  )
})

test('200 update: absent fields are unchanged, null clears, but not title, position and is_active', async () => {
  const { client } = await boardsNamed('First')
  const { board } = await client.call(`${boards}/create`, {
    title: 'Second',
    description: 'What it is for',
    icon: 'star',
    color: 'red',
  })
  const { id } = board
  const renamed = (await client.call(`${boards}/update`, { id, title: ' Renamed ' })).board
  assert.deepEqual({ ...renamed, updated_at: '' }, { ...board, title: 'Renamed', updated_at: '' })
  assert.ok(renamed.updated_at >= board.updated_at)
  const cleared = (
    await client.call(`${boards}/update`, {
      id,
      title: null,
      description: null,
      icon: null,
      color: '',
      position: null,
      is_active: null,
    })
  ).board
  assert.deepEqual(
    { ...cleared, updated_at: '' },
    { ...renamed, description: null, icon: null, color: null, updated_at: '' },
  )
  const inactive = (
    await client.call(`${boards}/update`, { id, is_active: false, description: '<i>x</i><script>y</script>' })
  ).board
  assert.equal(inactive.is_active, false)
  assert.equal(inactive.description, '<i>x</i>')
})

test('422 update for an empty title and for fields over their limits', async () => {
  const { client, ids, order } = await boardsNamed('Kept')
  const id = ids[0] as number
  for (const title of ['', '  ', 't'.repeat(256)]) {
    const refused = await client.attempt(`${boards}/update`, { id, title, color: 'blue' })
    assert.ok(!refused.ok && refused.status === 422)
    assert.deepEqual(Object.keys(refused.errors), ['title'])
  }
  assert.deepEqual(await order(), ['Kept'])
})

test('update moves to a position, clamped to the list, and positions stay dense', async () => {
  const { client, ids, order, positions } = await boardsNamed('A', 'B', 'C', 'D')
  const [a, b] = ids as [number, number]
  const move = async (id: number, position: number) =>
    (await client.call(`${boards}/update`, { id, position })).board.position
  assert.equal(await move(a, 3), 3)
  assert.deepEqual(await order(), ['B', 'C', 'A', 'D'])
  assert.equal(await move(b, 99), 4)
  assert.deepEqual(await order(), ['C', 'A', 'D', 'B'])
  assert.equal(await move(b, -99), 1)
  assert.deepEqual(await order(), ['B', 'C', 'A', 'D'])
  assert.equal(await move(b, Number.MAX_SAFE_INTEGER), 4)
  assert.deepEqual(await positions(), [1, 2, 3, 4])
  await client.call(`${boards}/create`, { title: 'E' })
  assert.deepEqual(await order(), ['C', 'A', 'D', 'B', 'E'])
})

test('an update that changes nothing is no event and leaves updated_at', async () => {
  const { client, ids, projectId } = await boardsNamed('A', 'B')
  const id = ids[1] as number
  const before = await eventsOf(projectId)
  const [one] = await service.db.sql`select updated_at from boards where id = ${id}`
  for (const input of [
    {},
    { title: 'B' },
    { position: 2 },
    { position: 50 },
    { is_active: true, color: null },
  ])
    await client.call(`${boards}/update`, { id, ...input })
  assert.deepEqual(await eventsOf(projectId), before)
  assert.deepEqual((await service.db.sql`select updated_at from boards where id = ${id}`)[0], one)
})

test('200 delete: an empty list; the board is deleted with its groups, cards and comments', async () => {
  const { projectId, members, member, admin, boardId, groupIds, cardIds } = await createBoard(service, {
    cards: 2,
  })
  const other = await createBoard(service, { cards: 1 })
  const [cardId, alreadyDeleted] = cardIds as [number, number]
  const { comment } = await member.call(`${operations}/comments/create`, {
    card_id: cardId,
    comment: 'Hello',
  })
  await member.call(`${operations}/cards/delete`, { id: alreadyDeleted })
  const [earlier] = await service.db.sql`select deleted_at from cards where id = ${alreadyDeleted}`
  const { status, body } = await post(service, `${boards}/delete`, members.admin.token, { id: boardId })
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The board was deleted.', data: [] } },
  )

  const results = [
    await admin.attempt(`${boards}/get`, { id: boardId }),
    await admin.attempt(`${boards}/update`, { id: boardId, title: 'Back' }),
    await admin.attempt(`${boards}/delete`, { id: boardId }),
    await admin.attempt(`${operations}/groups/create`, { board_id: boardId, title: 'New' }),
    await admin.attempt(`${operations}/groups/update`, { id: groupIds[0] as number, title: 'Back' }),
    await admin.attempt(`${operations}/groups/delete`, { id: groupIds[1] as number }),
    await admin.attempt(`${operations}/cards/get`, { id: cardId }),
    await admin.attempt(`${operations}/comments/update`, { id: comment.id, comment: 'Back' }),
  ]
  assert.deepEqual(
    results.map((result) => result.status),
    results.map(() => 404),
  )
  const [live] = await service.db.sql`
    select (select count(*) from boards where project_id = ${projectId} and deleted_at is null) as boards,
      (select count(*) from groups where project_id = ${projectId} and deleted_at is null) as groups,
      (select count(*) from cards where project_id = ${projectId} and deleted_at is null) as cards,
      (select count(*) from comments where project_id = ${projectId} and deleted_at is null) as comments`
  assert.deepEqual(live, { boards: 0, groups: 0, cards: 0, comments: 0 })
  const [later] = await service.db.sql`select deleted_at from cards where id = ${alreadyDeleted}`
  assert.deepEqual(later, earlier, 'what was deleted before keeps its own time')
  const { board } = await other.admin.call(`${boards}/get`, { id: other.boardId })
  assert.deepEqual([board.groups.length, board.groups[0]?.cards.length], [3, 1])
})

test('boards after a deleted one move up', async () => {
  const { client, ids, positions } = await boardsNamed('A', 'B', 'C')
  await client.call(`${boards}/delete`, { id: ids[0] as number })
  assert.deepEqual(await positions(), [1, 2])
})

test('16 boards moved in parallel leave a dense list with each board once', async () => {
  const { client, ids, positions } = await boardsNamed('A', 'B', 'C', 'D')
  const moves = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      client.attempt(`${boards}/update`, { id: ids[index % 4] as number, position: (index * 7) % 5 }),
    ),
  )
  assert.deepEqual(new Set(moves.map(({ status }) => status)), new Set([200]))
  assert.deepEqual(await positions(), [1, 2, 3, 4])
})

test('422 a description that is too long once it is clean, or has too much markup, on boards and groups', async () => {
  const { admin, boardId, groupIds } = await createBoard(service)
  const groupId = groupIds[0] as number
  for (const description of [`<b>${'&'.repeat(20_000)}</b>`, '<b>'.repeat(5001)]) {
    const attempts = [
      admin.attempt(`${boards}/create`, { title: 'Board', description }),
      admin.attempt(`${boards}/update`, { id: boardId, description }),
      admin.attempt(`${operations}/groups/create`, { board_id: boardId, title: 'Group', description }),
      admin.attempt(`${operations}/groups/update`, { id: groupId, description }),
    ]
    for (const result of await Promise.all(attempts)) assert.equal(result.status, 422)
  }
  const { board } = await admin.call(`${boards}/get`, { id: boardId })
  assert.deepEqual([board.description, board.groups.length, board.groups[0]?.description], [null, 3, null])
})
