import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'

test('200 a group is restored to its place with exactly what was deleted with it', async () => {
  const { member, admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [id] = groupIds as [number]
  const [kept, deletedBefore] = cardIds as [number, number]
  await member.call(`${base}/comments/create`, { card_id: kept, comment: 'still here' })
  await member.call(`${base}/cards/delete`, { id: deletedBefore })
  const before = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  await admin.call(`${base}/groups/delete`, { id })
  const { group } = await admin.call(`${base}/groups/restore`, { id })
  assert.deepEqual([group.id, group.position, group.deleted_at], [id, 1, null])
  const after = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  const shape = (board: typeof before) =>
    board.groups.map(({ id, position, cards }) => ({ id, position, cards: cards.map((card) => card.id) }))
  assert.deepEqual(shape(after), shape(before))
  assert.equal((await member.call(`${base}/cards/get`, { id: kept })).comments[0]?.comment, 'still here')
})

test('200 a board is restored with its groups, without a group that was deleted before', async () => {
  const { admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 2 })
  await admin.call(`${base}/groups/delete`, { id: groupIds[2] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const { board } = await admin.call(`${base}/boards/restore`, { id: boardId })
  assert.deepEqual([board.id, board.deleted_at], [boardId, null])
  const read = (await admin.call(`${base}/boards/get`, { id: boardId })).board
  assert.deepEqual(
    read.groups.map((group) => ({ id: group.id, cards: group.cards.map(({ id }) => id) })),
    [
      { id: groupIds[0], cards: cardIds },
      { id: groupIds[1], cards: [] },
    ],
  )
})

test('200 at the end of the list if the old place of a board or group is taken', async () => {
  const { admin, projectId, boardId, groupIds } = await createBoard(service)
  const { board: other } = await admin.call(`${base}/boards/create`, { title: 'Other' })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const { sql } = service.db
  await sql`update boards set rank = (select rank from boards where id = ${boardId}) where id = ${other.id}`
  assert.equal((await admin.call(`${base}/boards/restore`, { id: boardId })).board.position, 2)
  await sql`update groups set rank = (select rank from groups where id = ${groupIds[0] as number}) where id = ${groupIds[1] as number}`
  assert.equal((await admin.call(`${base}/groups/restore`, { id: groupIds[0] as number })).group.position, 3)
  assert.equal(projectId, other.project_id)
})

test('400 for things that are not deleted, and for a group of a deleted board', async () => {
  const { admin, boardId, groupIds } = await createBoard(service)
  const [id] = groupIds as [number]
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 400)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: boardId })).status, 400)
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 400)
})

test('403 for members, 404 for unknown things or those deleted more than 30 days ago', async () => {
  const { admin, member, boardId, groupIds } = await createBoard(service)
  const [id] = groupIds as [number]
  await admin.call(`${base}/groups/delete`, { id })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await member.attempt(`${base}/groups/restore`, { id })).status, 403)
  assert.equal((await member.attempt(`${base}/boards/restore`, { id: boardId })).status, 403)
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id: 2 ** 40 })).status, 404)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: 2 ** 40 })).status, 404)
  const { sql } = service.db
  await sql`update groups set deleted_at = now() - interval '31 days' where id = ${id}`
  await sql`update boards set deleted_at = now() - interval '31 days' where id = ${boardId}`
  assert.equal((await admin.attempt(`${base}/groups/restore`, { id })).status, 404)
  assert.equal((await admin.attempt(`${base}/boards/restore`, { id: boardId })).status, 404)
})

test('200 the list has each deleted thing once, the newest first, and loses it when it is restored', async () => {
  const { admin, member, members, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [card] = cardIds as [number]
  const [group] = groupIds as [number]
  const listed = async () =>
    (await member.call(`${base}/trash/list`)).things.map(({ kind, thing_id }) => `${kind} ${thing_id}`)
  await member.call(`${base}/cards/delete`, { id: card })
  await member.call(`${base}/cards/restore`, { id: card })
  assert.deepEqual(await listed(), [])
  await member.call(`${base}/cards/delete`, { id: card })
  await admin.call(`${base}/groups/delete`, { id: group })
  assert.deepEqual(await listed(), [`group ${group}`, `card ${card}`])
  const { things } = await member.call(`${base}/trash/list`)
  assert.deepEqual(
    things.map(({ title, board_title, cards_count, created_by }) => ({
      title,
      board_title,
      cards_count,
      created_by,
    })),
    [
      { title: 'To do', board_title: 'Board', cards_count: 2, created_by: members.admin.id },
      { title: 'Card 1', board_title: 'Board', cards_count: 1, created_by: members.member.id },
    ],
  )
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.deepEqual(await listed(), [`board ${boardId}`, `group ${group}`, `card ${card}`])
  const first = await member.call(`${base}/trash/list`, { limit: 1 })
  const second = await member.call(`${base}/trash/list`, { limit: 1, cursor: first.next_cursor })
  assert.equal(second.things[0]?.thing_id, group)
})

test('200 the list has deleted tags with the cards that had them, for 30 days', async () => {
  const { member, members, cardIds } = await createBoard(service, { cards: 2 })
  const { tag } = await member.call(`${base}/tags/create`, { name: 'Law', color: 'violet' })
  for (const id of cardIds) await member.call(`${base}/cards/update`, { id, tag_id: tag.id })
  await member.call(`${base}/tags/delete`, { id: tag.id })
  const { things } = await member.call(`${base}/trash/list`)
  const { name } = (await member.call('/services/identity/v1/users/me')).user
  assert.deepEqual(
    things.map(({ id: _, deleted_at: _at, ...thing }) => thing),
    [
      {
        kind: 'tag',
        thing_id: tag.id,
        title: 'Law',
        icon: null,
        color: 'violet',
        board_title: null,
        board_icon: null,
        board_color: null,
        created_by: members.member.id,
        is_group_deleted: false,
        is_board_deleted: false,
        returns_to_group: null,
        cards_count: 2,
        deleted_by_name: name,
      },
    ],
  )
  const listed = async () => (await member.call(`${base}/trash/list`)).things.length
  await member.call(`${base}/tags/restore`, { id: tag.id })
  assert.equal(await listed(), 0)
  await member.call(`${base}/tags/delete`, { id: tag.id })
  assert.equal(await listed(), 1)
  await service.db.sql`update tags set deleted_at = now() - interval '31 days' where id = ${tag.id}`
  assert.equal(await listed(), 0)
})

test('200 the list says which parents are deleted too, and where a card would return to alone', async () => {
  const { admin, member, boardId, groupIds, cardIds } = await createBoard(service, { cards: 2 })
  const listed = async () =>
    (await member.call(`${base}/trash/list`)).things.map((thing) => [
      thing.kind,
      thing.is_group_deleted,
      thing.is_board_deleted,
      thing.returns_to_group,
    ])
  await member.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  assert.deepEqual(await listed(), [['card', false, false, 'To do']])
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  assert.deepEqual(await listed(), [
    ['group', false, false, null],
    ['card', true, false, 'Doing'],
  ])
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.deepEqual(await listed(), [
    ['board', false, false, null],
    ['group', false, true, null],
    ['card', true, true, null],
  ])
})

test('200 get shows who deleted a board, group or card, and with what', async () => {
  const { admin, member, members, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const viewer = service.client(members.viewer.token)
  const [own, withGroup] = cardIds as [number, number]
  const entryOf = async (kind: 'board' | 'group' | 'card', id: number) => {
    const { thing } = await viewer.call(`${base}/trash/get`, { kind, id })
    return [thing.title, thing.deleted_by_name, thing.deleted_with, thing.board_title]
  }
  const { card: withBoard } = await member.call(`${base}/cards/create`, {
    title: 'Last',
    group_id: groupIds[1] as number,
  })
  await member.call(`${base}/cards/delete`, { id: own })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const [byMember, byAdmin] = await Promise.all(
    [member, admin].map(async (client) => (await client.call('/services/identity/v1/users/me')).user.name),
  )
  assert.deepEqual(await entryOf('card', own), ['Card 1', byMember, null, 'Board'])
  assert.deepEqual(await entryOf('card', withGroup), ['Card 2', byAdmin, 'group', 'Board'])
  assert.deepEqual(await entryOf('card', withBoard.id), ['Last', byAdmin, 'board', 'Board'])
  assert.deepEqual(await entryOf('group', groupIds[0] as number), ['To do', byAdmin, null, 'Board'])
  assert.deepEqual(await entryOf('group', groupIds[1] as number), ['Doing', byAdmin, 'board', 'Board'])
  assert.deepEqual(await entryOf('board', boardId), ['Board', byAdmin, null, null])
})

test('403 and 404 get for another project, and for things not deleted, unknown, or past 30 days', async () => {
  const { admin, member, boardId, cardIds } = await createBoard(service, { cards: 2 })
  const [id, there] = cardIds as [number, number]
  const get = async (client: typeof admin, kind: 'board' | 'card', thing: number) =>
    (await client.attempt(`${base}/trash/get`, { kind, id: thing })).status
  await admin.call(`${base}/cards/delete`, { id })
  const stranger = service.client((await createBoard(service)).members.owner.token)
  assert.equal(await get(stranger, 'card', id), 403)
  assert.equal(await get(member, 'card', there), 404)
  assert.equal(await get(member, 'board', boardId), 404)
  assert.equal(await get(member, 'card', 2 ** 40), 404)
  await service.db.sql`update cards set deleted_at = now() - interval '31 days' where id = ${id}`
  assert.equal(await get(member, 'card', id), 404)
})

test('200 a card is restored with its group and board, each as by its own restore', async () => {
  const { admin, boardId, groupIds, cardIds } = await createBoard(service, { cards: 3 })
  const [wanted, deletedBefore, withGroup] = cardIds as [number, number, number]
  const [groupId] = groupIds as [number]
  for (const id of [deletedBefore, wanted]) await admin.call(`${base}/cards/delete`, { id })
  await admin.call(`${base}/groups/delete`, { id: groupIds[2] as number })
  await admin.call(`${base}/groups/delete`, { id: groupId })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await admin.attempt(`${base}/cards/restore`, { id: wanted })).status, 400)
  const { card, restored_parents } = await admin.call(`${base}/cards/restore`, {
    id: wanted,
    with_parents: true,
  })
  assert.deepEqual([card.id, card.group_id, card.deleted_at], [wanted, groupId, null])
  assert.deepEqual(restored_parents, [
    { kind: 'board', id: boardId },
    { kind: 'group', id: groupId },
  ])
  const { board } = await admin.call(`${base}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups.map(({ id, cards }) => [id, cards.map((one) => one.id)]),
    [
      [groupId, [wanted, withGroup]],
      [groupIds[1], []],
    ],
  )
  const events = await service.db.sql<{ kind: string }[]>`
    select kind from events where project_id = ${board.project_id} order by id desc limit 3`
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['card.restored', 'group.restored', 'board.restored'],
  )
})

test('200 things deleted with a board are restored with it; parents that are not deleted stay', async () => {
  const { admin, member, boardId, groupIds, cardIds } = await createBoard(service, { cards: 2 })
  const [id, other] = cardIds as [number, number]
  const board = { kind: 'board', id: boardId }
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const card = await admin.call(`${base}/cards/restore`, { id, with_parents: true })
  assert.deepEqual([card.card.id, card.restored_parents], [id, [board]])
  await member.call(`${base}/cards/get`, { id: other })

  await admin.call(`${base}/boards/delete`, { id: boardId })
  const group = await admin.call(`${base}/groups/restore`, { id: groupIds[0] as number, with_parents: true })
  assert.deepEqual([group.group.id, group.restored_parents], [groupIds[0], [board]])
  await member.call(`${base}/cards/get`, { id })

  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const apart = await admin.call(`${base}/groups/restore`, { id: groupIds[0] as number, with_parents: true })
  assert.deepEqual([apart.group.position, apart.restored_parents], [1, [board]])

  await member.call(`${base}/cards/delete`, { id })
  const alone = await member.call(`${base}/cards/restore`, { id, with_parents: true })
  assert.deepEqual(alone.restored_parents, [])
  for (const path of [`${base}/cards/restore`, `${base}/groups/restore`] as const) {
    const thing = path.includes('cards') ? id : (groupIds[0] as number)
    assert.equal((await admin.attempt(path, { id: thing, with_parents: true })).status, 400)
  }
})

test('403 a member restores an own card, but not its deleted group or board', async () => {
  const { admin, member, boardId, groupIds, cardIds } = await createBoard(service, { cards: 1 })
  const [id] = cardIds as [number]
  await member.call(`${base}/cards/delete`, { id })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  assert.equal((await member.attempt(`${base}/cards/restore`, { id, with_parents: true })).status, 403)
  const { things } = await member.call(`${base}/trash/list`)
  assert.deepEqual(
    things.map(({ thing_id }) => thing_id),
    [groupIds[0], id],
  )
  assert.equal((await member.call(`${base}/cards/restore`, { id })).card.group_id, groupIds[1])
  await admin.call(`${base}/boards/delete`, { id: boardId })
  assert.equal((await member.attempt(`${base}/cards/restore`, { id, with_parents: true })).status, 403)
  assert.equal((await member.attempt(`${base}/boards/get`, { id: boardId })).status, 404)
})

test('403 in another project, 422 for an invalid cursor', async () => {
  const { members } = await createBoard(service)
  const { projectId } = await createBoard(service)
  const elsewhere = service.client(members.member.token, { 'x-project-id': String(projectId) })
  assert.equal((await elsewhere.attempt(`${base}/trash/list`)).status, 403)
  const own = service.client(members.member.token)
  assert.equal((await own.attempt(`${base}/trash/list`, { cursor: 'x' })).status, 422)
})
