import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const groups = `${operations}/groups` as const
const service = await startTestService()

const keys = [
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
  'type',
  'color',
  'icon',
  'created_at',
  'updated_at',
  'deleted_at',
]

type Fixture = Awaited<ReturnType<typeof createBoard>>

async function titlesOf({ admin, boardId }: Fixture) {
  const { board } = await admin.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ position }) => position),
    board.groups.map((_, index) => index + 1),
  )
  return board.groups.map(({ title }) => title)
}

test('201 create: the exact group, in both versions an object', async () => {
  const { members, boardId, projectId } = await createBoard(service)
  for (const path of [`${groups}/create`, `${groups}/create`.replace('/v1/', '/v2/')]) {
    const input = { board_id: boardId, title: ' Later ' }
    const { status, body } = await post<{ group: Record<string, unknown> }>(
      service,
      path,
      members.admin.token,
      input,
    )
    const { group } = body.data
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(inV1(group)), keys)
    assert.equal(group['description_format'], path.includes('/v2/') ? 'text' : undefined)
    assert.deepEqual(inV1(group), {
      id: group['id'],
      project_id: projectId,
      platform_id: 1,
      master_group_id: null,
      board_id: boardId,
      position: path.includes('/v1/') ? 4 : 5,
      created_by: members.admin.id,
      is_master: false,
      is_collapsed: false,
      is_active: true,
      title: 'Later',
      description: null,
      type: null,
      color: null,
      icon: null,
      created_at: group['created_at'],
      updated_at: group['created_at'],
      deleted_at: null,
    })
  }
})

test('201 create with every field at its limit; 422 for all fields beyond it at once', async () => {
  const { admin, boardId } = await createBoard(service)
  const { group } = await admin.call(`${groups}/create`, {
    board_id: boardId,
    title: 'ü'.repeat(255),
    description: '<b>Bold</b><img src=x onerror=alert(1)>',
    type: 't'.repeat(50),
    color: 'c'.repeat(50),
    icon: 'i'.repeat(100),
  })
  assert.equal(group.description, '<b>Bold</b>')
  assert.deepEqual([group.type?.length, group.color?.length, group.icon?.length], [50, 50, 100])
  const refused = await admin.attempt(`${groups}/create`, {
    board_id: boardId,
    title: 't'.repeat(256),
    type: 't'.repeat(51),
    color: 'c'.repeat(51),
    icon: 'i'.repeat(101),
  })
  assert.ok(!refused.ok && refused.status === 422)
  assert.deepEqual(Object.keys(refused.errors), ['title', 'type', 'color', 'icon'])
})

test('201 create: positions count the groups of the board alone', async () => {
  const { admin } = await createBoard(service)
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Second' })
  const { group } = await admin.call(`${groups}/create`, { board_id: board.id, title: 'First here' })
  assert.equal(group.position, 1)
})

test('200 update: v1 sends the group as JSON text, v2 as an object', async () => {
  const { members, boardId, groupIds, projectId } = await createBoard(service)
  const [id] = groupIds as [number]
  const input = {
    id,
    title: 'Renamed',
    description: 'Why',
    type: 'list',
    color: 'red',
    icon: 'star',
    position: 2,
    is_collapsed: true,
  }
  const path = `${groups}/update`
  const v1 = await post<{ group: string }>(service, path, members.member.token, input)
  assert.equal(v1.status, 200)
  assert.deepEqual(Object.keys(v1.body), ['error', 'message', 'data'])
  assert.deepEqual(Object.keys(v1.body.data), ['group'])
  assert.equal(typeof v1.body.data.group, 'string')
  const group = JSON.parse(v1.body.data.group)
  assert.deepEqual(Object.keys(group), keys)
  assert.deepEqual(group, {
    ...input,
    project_id: projectId,
    platform_id: 1,
    master_group_id: null,
    board_id: boardId,
    created_by: members.admin.id,
    is_master: false,
    is_active: true,
    created_at: group.created_at,
    updated_at: group.updated_at,
    deleted_at: null,
  })
  assert.ok(group.updated_at > group.created_at)
  const v2 = await post<{ group: object }>(service, path.replace('/v1/', '/v2/'), members.member.token, {
    id,
  })
  assert.equal(v2.status, 200)
  assert.deepEqual(inV1(v2.body.data.group), group)
  assert.deepEqual(Object.keys(group), keys)
})

test('update: absent fields are unchanged, null clears, but not title, position and is_collapsed', async () => {
  const { member, groupIds } = await createBoard(service)
  const id = groupIds[1] as number
  const full = { description: 'Why', type: 'list', color: 'red', icon: 'star', is_collapsed: true }
  const { group } = await member.call(`${groups}/update`, { id, ...full })
  assert.deepEqual({ ...group, ...full }, group)
  const renamed = (await member.call(`${groups}/update`, { id, title: 'Renamed' })).group
  assert.deepEqual({ ...renamed, updated_at: '' }, { ...group, title: 'Renamed', updated_at: '' })
  const kept = (
    await member.call(`${groups}/update`, { id, title: null, position: null, is_collapsed: null })
  ).group
  assert.deepEqual(kept, renamed)
  const nulls = { description: null, type: null, color: null, icon: null }
  const cleared = (await member.call(`${groups}/update`, { id, ...nulls })).group
  assert.deepEqual({ ...cleared, updated_at: '' }, { ...renamed, ...nulls, updated_at: '' })
  await member.call(`${groups}/update`, { id, color: 'blue' })
  assert.equal((await member.call(`${groups}/update`, { id, color: '  ' })).group.color, null)
  const { description } = (
    await member.call(`${groups}/update`, { id, description: '<a href="javascript:x">y</a>' })
  ).group
  assert.equal(description, '<a rel="noopener nofollow">y</a>')
})

test('422 update for an empty title, wrong types and fields over their limits, all at once', async () => {
  const fixture = await createBoard(service)
  const { members, groupIds } = fixture
  const { token } = members.member
  const [id] = groupIds as [number]
  const before = await titlesOf(fixture)
  for (const title of ['', ' \t ']) {
    const { status, body } = await post(service, `${groups}/update`, token, { id, title, color: 'blue' })
    assert.equal(status, 422)
    assert.deepEqual(body, {
      message: 'The title field is required.',
      errors: { title: ['The title field is required.'] },
    })
  }
  const { status, body } = await post(service, `${groups}/update`, token, {
    id,
    title: 't'.repeat(256),
    description: 5,
    type: 't'.repeat(51),
    color: 'c'.repeat(51),
    icon: 'i'.repeat(101),
    position: '2',
    is_collapsed: 1,
  })
  assert.equal(status, 422)
  assert.equal(body.message, 'The title field must not be greater than 255 characters. (and 6 more errors)')
  assert.deepEqual(Object.keys(body), ['message', 'errors'])
  assert.deepEqual(Object.keys(body.errors ?? {}), [
    'title',
    'description',
    'type',
    'color',
    'icon',
    'position',
    'is_collapsed',
  ])
  assert.deepEqual(await titlesOf(fixture), before)
})

test('update moves to a position, clamped to the board', async () => {
  const fixture = await createBoard(service)
  const [id] = fixture.groupIds as [number]
  const move = async (position: number) =>
    (await fixture.member.call(`${groups}/update`, { id, position })).group.position
  assert.equal(await move(2), 2)
  assert.deepEqual(await titlesOf(fixture), ['Doing', 'To do', 'Done'])
  assert.equal(await move(99), 3)
  assert.deepEqual(await titlesOf(fixture), ['Doing', 'Done', 'To do'])
  assert.equal(await move(0), 1)
  assert.equal(await move(Number.MAX_SAFE_INTEGER), 3)
  assert.equal(await move(-Number.MAX_SAFE_INTEGER), 1)
  assert.deepEqual(await titlesOf(fixture), ['To do', 'Doing', 'Done'])
  await fixture.admin.call(`${groups}/create`, { board_id: fixture.boardId, title: 'Last' })
  assert.deepEqual(await titlesOf(fixture), ['To do', 'Doing', 'Done', 'Last'])
})

test('an update that changes nothing is no event and leaves updated_at', async () => {
  const { member, groupIds, projectId } = await createBoard(service)
  const id = groupIds[2] as number
  const state = () => service.db.sql`
    select updated_at, (select count(*) from events where project_id = ${projectId}) as events from groups where id = ${id}`
  const before = await state()
  for (const input of [
    {},
    { title: 'Done' },
    { position: 3 },
    { position: 50 },
    { is_collapsed: false, color: null },
  ])
    await member.call(`${groups}/update`, { id, ...input })
  assert.deepEqual(await state(), before)
})

test('403 update carries data: [], for a role that is too low and for a group of another project', async () => {
  const { members, groupIds } = await createBoard(service)
  const stranger = await createBoard(service)
  const body = { error: true, message: 'This action is unauthorized.', data: [] }
  for (const token of [members.viewer.token, stranger.members.owner.token])
    for (const path of [`${groups}/update`, `${groups}/update`.replace('/v1/', '/v2/')]) {
      const answer = await post(service, path, token, { id: groupIds[0], title: 'Mine' })
      const code = path.includes('/v2/') && { code: 'forbidden' }
      assert.deepEqual(
        { status: answer.status, body: answer.body },
        { status: 403, body: { ...body, ...code } },
      )
    }
  const refused = await post(service, `${groups}/delete`, stranger.members.owner.token, { id: groupIds[0] })
  assert.deepEqual(refused.body, { error: true, message: 'This action is unauthorized.' })
})

test('404 with data: [] for an unknown id', async () => {
  const { members } = await createBoard(service)
  const { status, body } = await post(service, `${groups}/update`, members.member.token, { id: 999_999 })
  assert.deepEqual(
    { status, body },
    { status: 404, body: { error: true, message: 'There is no group with this id.', data: [] } },
  )
})

test('200 delete: an empty list; the group with its cards and comments is gone, the others move up', async () => {
  const fixture = await createBoard(service, { cards: 1 })
  const { members, admin, member, groupIds, cardIds } = fixture
  const [id, doing] = groupIds as [number, number]
  const [cardId] = cardIds as [number]
  await member.call(`${operations}/cards/create`, { title: 'Stays', group_id: doing })
  const { comment } = await member.call(`${operations}/comments/create`, {
    card_id: cardId,
    comment: 'Hello',
  })
  const { status, body } = await post(service, `${groups}/delete`, members.admin.token, { id })
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The group was deleted.', data: [] } },
  )
  const results = [
    await admin.attempt(`${groups}/delete`, { id }),
    await admin.attempt(`${groups}/update`, { id, title: 'Back' }),
    await admin.attempt(`${operations}/cards/get`, { id: cardId }),
    await admin.attempt(`${operations}/cards/update`, { id: cardId, title: 'Back' }),
    await admin.attempt(`${operations}/comments/update`, { id: comment.id, comment: 'Back' }),
  ]
  assert.deepEqual(
    results.map((result) => result.status),
    results.map(() => 404),
  )
  assert.equal(
    (await admin.attempt(`${operations}/cards/create`, { title: 'New', group_id: id })).status,
    422,
  )
  const { board } = await admin.call(`${operations}/boards/get`, { id: fixture.boardId })
  assert.deepEqual(
    board.groups.map(({ title, position, cards }) => ({ title, position, cards: cards.length })),
    [
      { title: 'Doing', position: 1, cards: 1 },
      { title: 'Done', position: 2, cards: 0 },
    ],
  )
  const rows = await service.db.sql`
    select c.deleted_at is not null as card, m.deleted_at = c.deleted_at as comment
    from cards c join comments m on m.card_id = c.id where c.id = ${cardId}`
  assert.deepEqual([...rows], [{ card: true, comment: true }])
})

test('a group is not changed after its deletion by concurrent updates', async () => {
  const { admin, member, groupIds, projectId } = await createBoard(service)
  const [id] = groupIds as [number]
  const update = (title: string) => member.attempt(`${groups}/update`, { id, title })
  const results = await Promise.all([
    ...['A', 'B', 'C', 'D'].map(update),
    admin.attempt(`${groups}/delete`, { id }),
    ...['E', 'F', 'G', 'H'].map(update),
  ])
  assert.equal(results[4]?.status, 200)
  for (const { status } of results) assert.ok(status === 200 || status === 404, String(status))
  const kinds = await service.db.sql`
    select kind from events where project_id = ${projectId} and data ->> 'group_id' = ${String(id)} order by id desc limit 1`
  assert.deepEqual([...kinds], [{ kind: 'group.deleted' }])
})

test('200 collapse: for the caller alone, without an event, also for viewers; the group keeps its default', async () => {
  const { projectId, members, member, boardId, groupIds } = await createBoard(service)
  const [id, other] = groupIds as [number, number]
  const viewer = service.client(members.viewer.token)
  const own = async (client: typeof member) =>
    (await client.call(`${operations}/boards/get-personal`, { board_id: boardId })).groups
  assert.deepEqual(await own(viewer), [])
  const events = () => service.db.sql`select count(*) from events where project_id = ${projectId}`
  const before = await events()
  assert.deepEqual(await viewer.call(`${groups}/collapse`, { id, is_collapsed: true }), {
    group_id: id,
    is_collapsed: true,
  })
  await member.call(`${groups}/update`, { id: other, is_collapsed: true })
  await viewer.call(`${groups}/collapse`, { id: other, is_collapsed: false })
  assert.deepEqual(await own(viewer), [
    { group_id: id, is_collapsed: true },
    { group_id: other, is_collapsed: false },
  ])
  await viewer.call(`${groups}/collapse`, { id, is_collapsed: false })
  assert.deepEqual((await own(viewer))[0], { group_id: id, is_collapsed: false })
  assert.deepEqual(await own(member), [])
  assert.deepEqual(Number((await events())[0]?.['count']), Number(before[0]?.['count']) + 1)
  const { board } = await viewer.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ is_collapsed }) => is_collapsed),
    [false, true, false],
  )
})
