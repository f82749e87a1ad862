import assert from 'node:assert/strict'
import test from 'node:test'
import { arranged } from '#boards/ordering.ts'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const tags = `${operations}/tags` as const
const service = await startTestService()

const keys = [
  'id',
  'project_id',
  'position',
  'created_by',
  'name',
  'color',
  'icon',
  'created_at',
  'updated_at',
  'deleted_at',
  'is_active',
]

async function project(...names: string[]) {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const client = service.client(user.token)
  const ids: number[] = []
  for (const name of names) ids.push((await client.call(`${tags}/create`, { name })).tag.id)
  const order = async () => {
    const listed = (await client.call(`${tags}/list`)).tags
    assert.deepEqual(
      listed.map(({ position }) => position),
      listed.map((_, index) => index + 1),
    )
    return listed.map(({ name }) => name)
  }
  return { projectId, user, client, ids, order }
}

test('201 create: the exact tag in both versions, and list shows the same', async () => {
  const { projectId, user, client } = await project()
  for (const path of [`${tags}/create`, `${tags}/create`.replace('/v1/', '/v2/')]) {
    const input = { name: ' Urgent ', id: 7, project_id: 1, is_active: false }
    const { status, body } = await post<{ tag: Record<string, unknown> }>(service, path, user.token, input)
    const { tag } = body.data
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['error', 'message', 'data'])
    assert.deepEqual(Object.keys(body.data), ['tag'])
    assert.deepEqual(Object.keys(tag), keys)
    assert.deepEqual(tag, {
      id: tag['id'],
      project_id: projectId,
      position: path.includes('/v1/') ? 1 : 2,
      created_by: user.id,
      name: 'Urgent',
      color: null,
      icon: null,
      created_at: tag['created_at'],
      updated_at: tag['created_at'],
      deleted_at: null,
      is_active: true,
    })
    const listed = (await client.call(`${tags}/list`)).tags.at(-1)
    assert.deepEqual(listed, tag)
  }
})

test('201 create at a position, clamped to the list, and with every field at its limit', async () => {
  const { client, order } = await project('A', 'B')
  const create = async (name: string, position: number | null) =>
    (await client.call(`${tags}/create`, { name, position })).tag.position
  assert.equal(await create('First', 1), 1)
  assert.equal(await create('Low', -5), 1)
  assert.equal(await create('Third', 3), 3)
  assert.equal(await create('High', 99), 6)
  assert.equal(await create('Last', null), 7)
  assert.deepEqual(await order(), ['Low', 'First', 'Third', 'A', 'B', 'High', 'Last'])
  const { tag } = await client.call(`${tags}/create`, {
    name: '🏷'.repeat(255),
    color: 'c'.repeat(50),
    icon: 'i'.repeat(100),
  })
  assert.deepEqual([[...tag.name].length, tag.color?.length, tag.icon?.length], [255, 50, 100])
})

test('422 create for all failing fields at once', async () => {
  const { user, order } = await project()
  const errors = async (input: object) => {
    const { status, body } = await post(service, `${tags}/create`, user.token, input)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body), ['message', 'errors'])
    return Object.keys(body.errors ?? {})
  }
  assert.deepEqual(await errors({ name: '  ' }), ['name'])
  assert.deepEqual(
    await errors({ name: 'n'.repeat(256), color: 'c'.repeat(51), icon: 'i'.repeat(101), position: '1' }),
    ['name', 'color', 'icon', 'position'],
  )
  assert.deepEqual(await errors({ name: 'a\0', color: '\udc00' }), ['name', 'color'])
  assert.deepEqual(await order(), [])
})

test('names need not be unique', async () => {
  const { order } = await project('Same', 'Same')
  assert.deepEqual(await order(), ['Same', 'Same'])
})

test('create and list act in the project of X-Project-Id, with the role that the caller has there', async () => {
  const mine = await service.addProject()
  const readOnly = await service.addProject()
  const foreign = await service.addProject()
  const { token } = await service.addUser({ roles: { [mine]: 'member', [readOnly]: 'viewer' } })
  const status = async (projectId: unknown, action: 'create' | 'list') =>
    (await post(service, `${tags}/${action}`, token, { name: 'Tag' }, { 'x-project-id': String(projectId) }))
      .status
  assert.deepEqual([await status(mine, 'create'), await status(mine, 'list')], [201, 200])
  assert.deepEqual([await status(readOnly, 'create'), await status(readOnly, 'list')], [403, 200])
  for (const action of ['create', 'list'] as const) {
    assert.equal(await status(foreign, action), 403)
    assert.equal(await status('tag', action), 422)
  }
})

test('200 update: absent fields are unchanged, null clears, but not name, position and is_active', async () => {
  const { client } = await project('A')
  const { tag } = await client.call(`${tags}/create`, { name: 'B', color: 'red', icon: 'star' })
  const { id } = tag
  const update = async (input: object) => (await client.call(`${tags}/update`, { id, ...input })).tag
  const renamed = await update({ name: ' Renamed ' })
  assert.deepEqual(Object.keys(renamed), keys)
  assert.deepEqual({ ...renamed, updated_at: '' }, { ...tag, name: 'Renamed', updated_at: '' })
  assert.deepEqual(await update({ name: null, position: null, is_active: null }), renamed)
  const cleared = await update({ color: null, icon: ' ', is_active: false })
  assert.deepEqual(
    { ...cleared, updated_at: '' },
    { ...renamed, color: null, icon: null, is_active: false, updated_at: '' },
  )
})

test('422 update for an empty name', async () => {
  const { client, ids, order } = await project('Kept')
  for (const name of ['', '  ']) {
    const refused = await client.attempt(`${tags}/update`, { id: ids[0] as number, name, color: 'blue' })
    assert.ok(!refused.ok && refused.status === 422)
    assert.deepEqual(refused.errors, { name: ['The name field is required.'] })
  }
  assert.deepEqual(await order(), ['Kept'])
})

test('update moves to a position, clamped to the list; what changes nothing is no event', async () => {
  const { client, ids, order, projectId } = await project('A', 'B', 'C')
  const [a] = ids as [number]
  const move = async (position: number) =>
    (await client.call(`${tags}/update`, { id: a, position })).tag.position
  assert.equal(await move(2), 2)
  assert.deepEqual(await order(), ['B', 'A', 'C'])
  assert.equal(await move(Number.MAX_SAFE_INTEGER), 3)
  const events = () => service.db.sql`select count(*) from events where project_id = ${projectId}`
  const before = await events()
  assert.equal(await move(50), 3)
  await client.call(`${tags}/update`, { id: a, name: 'A' })
  assert.deepEqual(await events(), before)
  assert.equal(await move(0), 1)
  assert.deepEqual(await order(), ['A', 'B', 'C'])
})

test('200 delete: an empty list; the tag is gone, cards lose it, others move up', async () => {
  const { members, member, cardIds, projectId } = await createBoard(service, { cards: 1 })
  const [cardId] = cardIds as [number]
  const { tag } = await member.call(`${tags}/create`, { name: 'Gone' })
  await member.call(`${tags}/create`, { name: 'Stays' })
  await member.call(`${operations}/cards/update`, { id: cardId, tag_id: tag.id })
  const { status, body } = await post(service, `${tags}/delete`, members.member.token, { id: tag.id })
  assert.deepEqual(
    { status, body },
    { status: 200, body: { error: false, message: 'The tag was deleted.', data: [] } },
  )
  assert.equal((await member.call(`${operations}/cards/get`, { id: cardId })).card.tag_id, null)
  assert.equal((await member.attempt(`${tags}/delete`, { id: tag.id })).status, 404)
  assert.equal((await member.attempt(`${tags}/update`, { id: tag.id, name: 'Back' })).status, 404)
  const taken = await member.attempt(`${operations}/cards/update`, { id: cardId, tag_id: tag.id })
  assert.equal(taken.status, 422)
  const listed = (await member.call(`${tags}/list`)).tags
  assert.deepEqual(
    listed.map(({ name, position, project_id }) => ({ name, position, project_id })),
    [{ name: 'Stays', position: 1, project_id: projectId }],
  )
})

test('200 restore: a deleted tag is back at its place and on its cards, except those with another tag', async () => {
  const { member, members, cardIds, boardId } = await createBoard(service, { cards: 3 })
  const [kept, retagged, deleted] = cardIds as [number, number, number]
  const create = async (name: string) => (await member.call(`${tags}/create`, { name })).tag.id
  await create('Before')
  const id = await create('Law')
  const after = await create('After')
  for (const card of [kept, retagged, deleted])
    await member.call(`${operations}/cards/update`, { id: card, tag_id: id })
  const names = async () => (await member.call(`${tags}/list`)).tags.map(({ name }) => name)
  const used = async () => (await member.call(`${tags}/usage`)).tags
  assert.deepEqual(await used(), [{ tag_id: id, cards_count: 3, boards_count: 1 }])
  await member.call(`${tags}/delete`, { id })
  await member.call(`${operations}/cards/update`, { id: retagged, tag_id: after })
  await member.call(`${operations}/cards/delete`, { id: deleted })
  const { status, body } = await post(service, `${tags}/restore`, members.member.token, { id })
  assert.deepEqual([status, Object.keys(body.data as object)], [200, ['tag']])
  assert.deepEqual(await names(), ['Before', 'Law', 'After'])
  assert.deepEqual(await used(), [
    { tag_id: id, cards_count: 1, boards_count: 1 },
    { tag_id: after, cards_count: 1, boards_count: 1 },
  ])
  await member.call(`${operations}/cards/restore`, { id: deleted })
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  const tagged = board.groups.flatMap(({ cards }) => cards).map((card) => [card.id, card.tag_id])
  assert.deepEqual(Object.fromEntries(tagged), { [kept]: id, [retagged]: after, [deleted]: id })
  const restoreV2 = () =>
    post(service, `${tags}/restore`.replace('/v1/', '/v2/'), members.member.token, { id })
  const again = await restoreV2()
  assert.deepEqual([again.status, (again.body as { code?: string }).code], [400, 'tag_not_deleted'])
  await member.call(`${tags}/delete`, { id })
  assert.equal((await restoreV2()).status, 200)
})

test('422 an inactive tag is not newly used; cards that have it keep it', async () => {
  const { members, member, cardIds } = await createBoard(service, { cards: 2 })
  const [tagged, other] = cardIds as [number, number]
  const { tag } = await member.call(`${tags}/create`, { name: 'Retired' })
  await member.call(`${operations}/cards/update`, { id: tagged, tag_id: tag.id })
  await member.call(`${tags}/update`, { id: tag.id, is_active: false })
  const refused = { tag_id: ['The selected tag id is inactive.'] }
  for (const [action, input] of [
    ['update', { id: other, tag_id: tag.id }],
    ['create', { title: 'New', tag_id: tag.id }],
  ] as const) {
    const path = `${operations}/cards/${action}`
    const v1 = await post(service, path, members.member.token, input)
    assert.deepEqual([v1.status, v1.body.errors], [422, refused], action)
    const v2 = await post<unknown>(service, path.replace('/v1/', '/v2/'), members.member.token, input)
    assert.equal((v2.body as { code?: string }).code, 'tag_id_inactive', action)
  }
  const changed = await member.call(`${operations}/cards/update`, {
    id: tagged,
    tag_id: tag.id,
    title: 'Renamed',
  })
  assert.deepEqual([changed.card.tag_id, changed.card.title], [tag.id, 'Renamed'])
  await member.call(`${tags}/update`, { id: tag.id, is_active: true })
  const again = await member.call(`${operations}/cards/update`, { id: other, tag_id: tag.id })
  assert.equal(again.card.tag_id, tag.id)
  const both = await post(service, `${operations}/cards/create`, members.member.token, {
    title: 'New',
    tag_id: 0,
    owner_id: 0,
  })
  assert.deepEqual(Object.keys(both.body.errors ?? {}), ['owner_id', 'tag_id'])
})

test('concurrent moves of tags end as if done one after the other', async () => {
  const { client } = await project('A', 'B', 'C', 'D', 'E')
  const ids = async () => (await client.call(`${tags}/list`)).tags.map(({ id }) => id)
  for (let round = 0; round < 6; round++) {
    const before = await ids()
    const [one, two] = [
      { id: before[0] as number, position: 5 },
      { id: before[1] as number, position: 4 },
    ]
    await Promise.all([one, two].map((move) => client.call(`${tags}/update`, move)))
    const sequences = [arranged(arranged(before, [one]), [two]), arranged(arranged(before, [two]), [one])]
    const final = String(await ids())
    assert.ok(sequences.map(String).includes(final), `${final} is none of ${sequences.join(' | ')}`)
  }
})

test('16 tags made and moved in parallel leave a dense list with each of them once', async () => {
  const { client, ids, order } = await project('A', 'B', 'C')
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      index % 2
        ? client.attempt(`${tags}/create`, { name: `New ${index}`, position: index % 3 })
        : client.attempt(`${tags}/update`, { id: ids[index % 3] as number, position: index % 5 }),
    ),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    results.map((_, index) => (index % 2 ? 201 : 200)),
  )
  assert.equal(new Set(await order()).size, 11)
})
