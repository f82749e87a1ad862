import assert from 'node:assert/strict'
import test from 'node:test'
import { addUpCoverage, keepingCoverage, recountCoverage } from '#coverage/counts.ts'
import { listTemplates, readWholeTemplate } from '#templates/template/template.ts'
import { createBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { coverageNames, createMaster, present } from '#tests/master.ts'
import { sender } from '#tests/post.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin/master-boards'
const service = await startTestService()
const { sql } = service.db
const superadmin = await service.addUser({ superadmin: true })
const admin = service.client(superadmin.token)
const send = sender(service, superadmin.token, masters)
const sendAdmin = sender(service, superadmin.token, '/services/operations/v1/admin')
const [platform] = await sql<{ id: number }[]>`select id from platforms`

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
  'version',
]
const missing = [0, -1, 999_999, Number.MAX_SAFE_INTEGER]

const newBoard = async (title = 'x') => (await admin.call(`${masters}/create`, { title })).board
const listed = async (id: number) =>
  (await admin.call(`${masters}/list`)).boards.find((board) => board.id === id)

const coverage = ['projects_count', ...coverageNames]

test('201 create with a title alone: the exact keys of a master row', async () => {
  const { status, body } = await send('/create', { title: ' Launch ' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
  const { board } = body.data
  assert.deepEqual(Object.keys(board), keys)
  const { id, position, created_at, updated_at, ...rest } = board
  assert.equal(created_at, updated_at)
  assert.ok(id > 0 && position > 0)
  assert.deepEqual(rest, {
    project_id: null,
    platform_id: platform?.id,
    master_board_id: null,
    tool_key: null,
    title: 'Launch',
    description: null,
    icon: null,
    color: null,
    is_master: true,
    is_active: true,
    created_by: superadmin.id,
    deleted_at: null,
    version: 0,
  })
})

test('201 create with everything, the description cleaned', async () => {
  const input = { title: 'x', description: '<p onclick="x()">Hi</p><script>1</script>' }
  const words = { tool_key: 'website', icon: 'rocket', color: 'red' }
  const { board } = await admin.call(`${masters}/create`, { ...input, ...words })
  assert.equal(board.description, '<p>Hi</p>')
  assert.deepEqual({ tool_key: board.tool_key, icon: board.icon, color: board.color }, words)
})

test('422 create and update over the limits, a letter below is accepted', async () => {
  const long = { title: 256, icon: 101, color: 51 }
  const filled = (less: number) =>
    Object.fromEntries(Object.entries(long).map(([name, length]) => [name, 'é'.repeat(length - less)]))
  const { id } = await newBoard()
  for (const [verb, extra] of [
    ['/create', {}],
    ['/update', { id }],
  ] as const) {
    const { status, body } = await send(verb, { ...filled(0), ...extra })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors ?? {}), ['title', 'icon', 'color'])
    const { body: done } = await send(verb, { ...filled(1), ...extra })
    assert.equal([...done.data.board.title].length, 255)
    const tags = await send(verb, { title: 'x', ...extra, description: '<b>'.repeat(5001) })
    assert.deepEqual(tags.body.errors, { description: ['The description field has too much markup.'] })
  }
  const tool = await send('/create', { title: 'x', tool_key: 'x'.repeat(101) })
  assert.deepEqual(Object.keys(tool.body.errors ?? {}), ['tool_key'])
})

test('200 list: v1 sends each board as its JSON text, v2 as an object, in their order', async () => {
  const boards = [await newBoard(), await newBoard()]
  const v1 = await send('/list', {})
  const v2 = await sender(service, superadmin.token, masters.replace('/v1/', '/v2/'))('/list', {})
  assert.equal(v1.status, 200)
  assert.ok(v1.body.data.boards.every((text: unknown) => typeof text === 'string'))
  const parsed = v1.body.data.boards.map((text: string) => JSON.parse(text))
  assert.deepEqual(parsed, inV1(v2.body.data.boards))
  assert.deepEqual(Object.keys(parsed[0]), [...keys, 'groups_count', 'cards_count', ...coverage])
  assert.deepEqual(
    parsed.map(({ position }: { position: number }) => position),
    parsed.map((_: unknown, index: number) => index + 1),
  )
  assert.deepEqual(
    parsed.slice(-2).map(({ id }: { id: number }) => id),
    boards.map(({ id }) => id),
  )
})

test('list counts groups, cards, the projects that have a copy and how many of them are behind', async () => {
  const master = await createMaster(service, { projects: 3, cards: 2 })
  const counts = async () => {
    const board = await listed(master.boardId)
    return [board?.groups_count, board?.cards_count, board?.projects_count, board?.behind_count]
  }
  assert.deepEqual(await counts(), [2, 2, 0, 0])
  await master.sync()
  assert.deepEqual(await counts(), [2, 2, 3, 0])
  // What comes back is not behind, unless its template changed meanwhile.
  const project = present(master.projects[1])
  const { client } = project
  const copied = present((await master.copyIn(project)).groups[0]?.cards[0])
  const { group_id } = copied
  const { card: own } = await client.call(`${operations}/cards/create`, { title: 'Own', group_id })
  const removeAndRestore = async (id: number) => {
    await client.call(`${operations}/cards/delete`, { id })
    await client.call(`${operations}/cards/restore`, { id })
  }
  await removeAndRestore(own.id)
  assert.deepEqual(await counts(), [2, 2, 3, 0])
  await removeAndRestore(copied.id)
  assert.deepEqual(await counts(), [2, 2, 3, 0])
  await master.addCard({ title: 'New' })
  assert.deepEqual(await counts(), [2, 3, 3, 0])
  await master.publish()
  assert.deepEqual(await counts(), [2, 3, 3, 3])
  const [first] = master.projects
  await first?.client.call(`${operations}/boards/delete`, { id: (await master.copyIn(first)).id })
  assert.deepEqual(await counts(), [2, 3, 2, 2])
  await master.sync()
  assert.deepEqual(await counts(), [2, 3, 2, 0])
})

test('list and get read no project and no copy, however many there are, and are right at once', async () => {
  const { db, ...fleet } = await startTestService()
  const client = fleet.client((await fleet.addUser({ superadmin: true })).token)
  for (let number = 1; number <= 3; number++)
    await client.call(`${masters}/create`, { title: `Master ${number}` })
  const projectIds = await addProjects(db, 1_000)
  await db.sql`
    insert into boards (project_id, master_board_id, master_revision, synced_revision, title)
    select p.id, m.id, 1, 1, 'Copy' from projects p, master_boards m where p.kind = 'customer'`
  const assertRead = async (count: number) => {
    const reads = await readsOf(db, ['projects', 'boards', 'rollout_refusals'], async (queries) => {
      const listed = await listTemplates(queries, null)
      assert.deepEqual(
        listed.map((master) => [master.projects_count, master.access_count]),
        Array(3).fill([count, count]),
      )
      const whole = await readWholeTemplate(queries, present(listed[0]).id)
      assert.equal(present(whole).covered_count, count)
    })
    assert.equal(reads, 0)
  }
  await recountCoverage(db)
  await assertRead(1_000)
  const deleted = projectIds.slice(0, 3)
  await keepingCoverage(
    db,
    { projectIds: deleted, boardId: null },
    () => db.sql`update projects set deleted_at = now() where id = any(${deleted}::bigint[])`,
  )
  await assertRead(997)
  await addUpCoverage(db)
  await assertRead(997)
  const [left] = await db.sql<{ count: number }[]>`select count(*) from coverage_counts`
  assert.equal(left?.count, 4)
})

test('200 get: groups and cards in their order, with dense positions; 404 what is not there', async () => {
  const master = await createMaster(service, { projects: 0, cards: 3 })
  const { status, body } = await send('/get', { id: master.boardId })
  assert.equal(status, 200)
  const { board } = body.data
  assert.deepEqual(Object.keys(board), [...keys, ...coverage, 'groups'])
  const shape = board.groups.map((group: { id: number; position: number; cards: { id: number }[] }) => ({
    id: group.id,
    position: group.position,
    cards: group.cards.map(({ id }) => id),
  }))
  assert.deepEqual(shape, [
    { id: master.groupIds[0], position: 1, cards: master.cardIds },
    { id: master.groupIds[1], position: 2, cards: [] },
  ])
  for (const id of missing) assert.equal((await admin.attempt(`${masters}/get`, { id })).status, 404)
})

test('200 update: absent is left, null clears or leaves, a value that is there already changes nothing', async () => {
  const { id } = await newBoard('Before')
  const update = async (input: object) => (await send('/update', { id, ...input })).body.data.board
  const changed = await update({ title: 'After', description: '<i>x</i>', icon: 'a', color: 'b' })
  assert.deepEqual([changed.title, changed.icon, changed.color], ['After', 'a', 'b'])
  assert.deepEqual(await update({}), changed)
  assert.deepEqual(await update({ title: 'After', is_active: true, title_: 1 }), changed)
  assert.deepEqual(await update({ title: null, is_active: null }), changed)
  const cleared = await update({ description: null, icon: null, color: null, is_active: false })
  assert.deepEqual(
    [cleared.title, cleared.description, cleared.icon, cleared.color, cleared.is_active],
    ['After', null, null, null, false],
  )
  assert.equal((await send('/update', { id, title: '' })).status, 422)
  for (const unknown of missing)
    assert.equal((await admin.attempt(`${masters}/update`, { id: unknown, title: 'x' })).status, 404)
})

test('200 delete takes the groups and cards along, 404 a second time; the copies stay', async () => {
  const master = await createMaster(service, { projects: 1, cards: 2 })
  await master.sync()
  const [project] = master.projects as [(typeof master.projects)[number]]
  const copy = await master.copyIn(project)
  const { status, body } = await send('/delete', { id: master.boardId })
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The template was deleted.', data: [] } },
  )
  assert.deepEqual(await master.copyIn(project), copy)
  assert.equal(await listed(master.boardId), undefined)
  const { boardId, groupIds, cardIds } = master
  const gone = [
    await send('/delete', { id: boardId }),
    await send('/get', { id: boardId }),
    await send('/update', { id: boardId, title: 'x' }),
    await send('/duplicate', { id: boardId }),
    await send('/sync', { board_id: boardId }),
    await sendAdmin('/master-groups/create', { board_id: boardId, title: 'x' }),
    await sendAdmin('/master-groups/update', { id: groupIds[0], title: 'x' }),
    await sendAdmin('/master-groups/delete', { id: groupIds[0] }),
    await sendAdmin('/master-cards/get', { id: cardIds[0] }),
    await sendAdmin('/master-cards/push', { card_id: cardIds[0] }),
    await sendAdmin('/master-cards/restore', { id: cardIds[0] }),
  ]
  assert.deepEqual(
    gone.map((answer) => answer.status),
    gone.map(() => 404),
  )
  assert.equal((await sendAdmin('/master-cards/create', { group_id: groupIds[0], title: 'x' })).status, 422)
  for (const id of missing) assert.equal((await send('/delete', { id })).status, 404)
})

test('of eight deletions at once one does it', async () => {
  const { id } = await newBoard()
  const results = await Promise.all(
    Array.from({ length: 8 }, () => admin.attempt(`${masters}/delete`, { id })),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), [200, ...Array(7).fill(404)])
})

test('201 duplicate: the same groups and cards in the same order, without identifiers, pushed nowhere', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  const { admin: client, groupIds } = master
  const { card } = await client.call('/services/operations/v1/admin/master-cards/create', {
    group_id: groupIds[0],
    title: 'Full',
    description: '<b>x</b>',
    short_description: 'short',
    unique_identifier: `full-${master.boardId}`,
    evaluation_check: 'check',
    tour_key: 'tour',
    status: 'blocked',
    priority: 'urgent',
    is_active: false,
  })
  await client.call('/services/operations/v1/admin/master-cards/move', { id: card.id, position: 1 })
  await master.sync()
  const original = await master.whole()
  const { status, body } = await send('/duplicate', { id: master.boardId })
  assert.equal(status, 201)
  const { board } = body.data
  const plain = (whole: typeof original) =>
    whole.groups.map(({ title, description, position, cards }) => ({
      title,
      description,
      position,
      cards: cards.map(({ id, group_id, created_at, updated_at, created_by, sort_order, ...fields }) => ({
        ...fields,
        unique_identifier: null,
      })),
    }))
  assert.deepEqual(plain(board), inV1(plain(original)))
  assert.deepEqual([board.title, board.tool_key, board.version], ['Launch', master.toolKey, 0])
  const ids = (whole: typeof original) =>
    whole.groups.flatMap((group) => [`group ${group.id}`, ...group.cards.map(({ id }) => `card ${id}`)])
  assert.ok(ids(board).every((id) => !ids(original).includes(id)))
  assert.equal((await listed(board.id))?.projects_count, 0)
  assert.deepEqual(await master.whole(), original)
  const named = await send('/duplicate', { id: master.boardId, title: 'Second' })
  assert.equal(named.body.data.board.title, 'Second')
  assert.equal((await send('/duplicate', { id: master.boardId, title: '' })).status, 422)
  for (const id of missing) assert.equal((await send('/duplicate', { id })).status, 404)
})

test("201 from-board: a project's board as a template, its cards open and without what is local", async () => {
  const fixture = await createBoard(service, { cards: 3 })
  const [first, second, third] = fixture.cardIds as [number, number, number]
  const { member, members, groupIds } = fixture
  const details = { description: '<b>x</b>', due_date: '2030-01-01', owner_id: members.member.id }
  await member.call(`${operations}/cards/update`, {
    id: first,
    status: 'closed',
    priority: 'high',
    ...details,
  })
  await member.call(`${operations}/cards/move`, { id: third, group_id: groupIds[1] as number })
  await member.call(`${operations}/cards/delete`, { id: second })
  const { group } = await fixture.admin.call(`${operations}/groups/create`, {
    board_id: fixture.boardId,
    title: 'Deleted',
  })
  await fixture.admin.call(`${operations}/groups/delete`, { id: group.id })
  const { status, body } = await send('/from-board', { board_id: fixture.boardId })
  assert.equal(status, 201)
  const { board } = body.data
  assert.deepEqual(Object.keys(board), [...keys, ...coverage, 'groups'])
  assert.deepEqual([board.title, board.project_id, board.is_master], ['Board', null, true])
  type Listed = { title: string; cards: Record<string, unknown>[] }
  assert.deepEqual(
    board.groups.map(({ title, cards }: Listed) => [title, cards.map((card) => card['title'])]),
    [
      ['To do', ['Card 1']],
      ['Doing', ['Card 3']],
      ['Done', []],
    ],
  )
  const card = board.groups[0].cards[0]
  const { title, description, priority, owner_id, due_date, is_master, created_by } = card
  assert.deepEqual(
    { title, description, priority, owner_id, due_date, is_master, created_by, status: card.status },
    {
      title: 'Card 1',
      description: '<b>x</b>',
      priority: 'high',
      owner_id: null,
      due_date: null,
      is_master: true,
      created_by: superadmin.id,
      status: 'open',
    },
  )
  const named = await send('/from-board', { board_id: fixture.boardId, title: 'Named' })
  assert.equal(named.body.data.board.title, 'Named')
  await fixture.admin.call(`${operations}/boards/delete`, { id: fixture.boardId })
  for (const board_id of [...missing, fixture.boardId, board.id])
    assert.equal((await send('/from-board', { board_id })).status, 404)
})

test('201 duplicate and from-board wait for what is being changed, and take it along', async () => {
  const master = await createMaster(service, { cards: 1 })
  const { boardId, projectId } = await createBoard(service)
  const duplicates = await service.db.transaction(async ({ sql }) => {
    await sql`select from master_boards where id = ${master.boardId} for update`
    await sql`select from boards where id = ${boardId} for no key update`
    const copying = admin.call(`${masters}/duplicate`, { id: master.boardId })
    const taking = admin.call(`${masters}/from-board`, { board_id: boardId })
    await waitingForLocks(service.db, 2)
    await sql`insert into master_groups (board_id, title, created_by) values (${master.boardId}, 'Late', ${superadmin.id})`
    await sql`insert into groups (project_id, board_id, title) values (${projectId}, ${boardId}, 'Late')`
    return { copying, taking }
  })
  for (const made of [duplicates.copying, duplicates.taking]) {
    const { board } = await admin.call(`${masters}/get`, { id: (await made).board.id })
    assert.equal(board.groups.at(-1)?.title, 'Late')
  }
})
