import assert from 'node:assert/strict'
import test from 'node:test'
import { change } from '#events/change.ts'
import { createBoard } from '#tests/board.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const create = `${operations}/comments/create`
const list = `${operations}/comments/list`
const update = `${operations}/comments/update`
const remove = `${operations}/comments/delete`
const restore = `${operations}/comments/restore`
const markRead = `${operations}/comments/mark-read`
const unread = `${operations}/comments/unread`
const service = await startTestService()
const { projectId, members, admin, member, boardId, groupIds } = await createBoard(service)
const other = await createBoard(service, { cards: 1 })
const theirCard = other.cardIds[0] as number
const viewer = service.client(members.viewer.token)
const send = sender(service, members.member.token, operations)

const newCard = async () =>
  (await member.call(`${operations}/cards/create`, { title: 'x', group_id: groupIds[0] as number })).card.id
const comment = async (card_id: number, parent_comment_id: number | null = null, client = member) =>
  (await client.call(create, { card_id, comment: 'x', parent_comment_id })).comment
const idsOf = async (card_id: number) =>
  (await member.call(list, { card_id })).comments.map((entry) => entry.id)

test('201 with the exact keys and values of a comment; its author has read it', async () => {
  const card_id = await newCard()
  const { status, body } = await send('/comments/create', { card_id, comment: '  <b>Hi</b> & so on ' })
  const { id, created_at } = body.data.comment
  assert.equal(status, 201)
  assert.deepEqual(body, {
    error: false,
    message: 'The comment was created.',
    data: {
      comment: {
        id,
        project_id: projectId,
        card_id,
        user_id: members.member.id,
        parent_comment_id: null,
        comment: '<b>Hi</b> & so on',
        is_read: true,
        read_at: created_at,
        created_at,
        updated_at: created_at,
        deleted_at: null,
      },
    },
  })
  const inV2 = { ...body.data.comment, mentions: [] }
  assert.deepEqual((await member.call(list, { card_id })).comments, [inV2])
  assert.deepEqual((await viewer.call(list, { card_id })).comments, [
    { ...inV2, is_read: false, read_at: null },
  ])
})

test('fields that are not in the input are ignored', async () => {
  const card_id = await newCard()
  const { body } = await send('/comments/create', {
    card_id,
    comment: 'x',
    id: 1,
    project_id: other.projectId,
    user_id: members.owner.id,
    is_read: false,
    deleted_at: '2020-01-01',
    superadmin: true,
  })
  assert.equal(body.data.comment.project_id, projectId)
  assert.equal(body.data.comment.user_id, members.member.id)
  assert.equal(body.data.comment.deleted_at, null)
})

test('201 a reply keeps the parent that was sent, also one to a reply, and goes and comes back with it', async () => {
  const card = await newCard()
  const parent = await comment(card)
  const reply = await comment(card, parent.id)
  const second = await comment(card, reply.id, admin)
  const third = await comment(card, second.id)
  assert.equal(reply.parent_comment_id, parent.id)
  assert.equal(second.parent_comment_id, reply.id)
  assert.equal(third.parent_comment_id, second.id)
  assert.deepEqual((await member.call(list, { card_id: card })).comments[2]?.parent_comment_id, reply.id)
  await member.call(remove, { id: third.id })
  await member.call(remove, { id: parent.id })
  assert.deepEqual(await idsOf(card), [])
  const orphan = await member.attempt(restore, { id: reply.id })
  assert.equal(orphan.status, 400)
  await member.call(restore, { id: parent.id })
  assert.deepEqual(await idsOf(card), [parent.id, reply.id, second.id])
})

test('422 for a parent on another card, deleted, of another project, or unknown', async () => {
  const card_id = await newCard()
  const elsewhere = await comment(await newCard())
  const deleted = await comment(card_id)
  await member.call(remove, { id: deleted.id })
  const theirs = (await other.member.call(create, { card_id: theirCard, comment: 'x' })).comment
  for (const parent_comment_id of [elsewhere.id, deleted.id, theirs.id, 0, -1, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await send('/comments/create', { card_id, comment: 'x', parent_comment_id })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, {
      parent_comment_id: ['The selected parent comment id is invalid.'],
    })
  }
  assert.deepEqual(await idsOf(card_id), [])
})

test('422 an empty comment and one that is too long', async () => {
  const card_id = await newCard()
  const empty = await send('/comments/create', { card_id, comment: ' \n ' })
  assert.deepEqual(empty.body.errors, { comment: ['The comment field is required.'] })
  const long = await send('/comments/create', { card_id, comment: '😀'.repeat(65_536) })
  assert.deepEqual(long.body.errors, {
    comment: ['The comment field must not be greater than 65535 characters.'],
  })
  const exactly = await send('/comments/create', { card_id, comment: '😀'.repeat(65_535) })
  assert.equal(exactly.status, 201)
})

test('404 for unknown ids, for every operation on comments', async () => {
  const card = await newCard()
  const { id } = await comment(card)
  const board = (await admin.call(`${operations}/boards/create`, { title: 'x' })).board.id
  await admin.call(`${operations}/boards/delete`, { id: board })
  await member.call(`${operations}/cards/delete`, { id: card })
  for (const missing of [card, 0, -1, Number.MAX_SAFE_INTEGER]) {
    assert.equal((await member.attempt(create, { card_id: missing, comment: 'x' })).status, 404)
    assert.equal((await member.attempt(list, { card_id: missing })).status, 404)
    assert.equal((await member.attempt(markRead, { card_id: missing })).status, 404)
  }
  for (const missing of [id, 0, -1, Number.MAX_SAFE_INTEGER]) {
    assert.equal((await member.attempt(update, { id: missing, comment: 'x' })).status, 404)
    assert.equal((await member.attempt(remove, { id: missing })).status, 404)
  }
  for (const missing of [board, 0, Number.MAX_SAFE_INTEGER])
    assert.equal((await member.attempt(unread, { board_id: missing })).status, 404)
})

test("403 another project's, for every operation on comments; 403 a viewer who writes", async () => {
  const theirs = async (comment: string) =>
    (await other.member.call(create, { card_id: theirCard, comment })).comment
  const gone = await theirs('gone')
  await other.member.call(remove, { id: gone.id })
  const { id } = await theirs('theirs')
  assert.equal((await member.attempt(create, { card_id: theirCard, comment: 'x' })).status, 403)
  assert.equal((await member.attempt(list, { card_id: theirCard })).status, 403)
  assert.equal((await member.attempt(markRead, { card_id: theirCard })).status, 403)
  assert.equal((await member.attempt(unread, { board_id: other.boardId })).status, 403)
  const reader = await service.addUser({ roles: { [projectId]: 'owner', [other.projectId]: 'viewer' } })
  for (const client of [member, service.client(reader.token)]) {
    assert.equal((await client.attempt(update, { id, comment: 'x' })).status, 403)
    assert.equal((await client.attempt(remove, { id })).status, 403)
    assert.equal((await client.attempt(restore, { id: gone.id })).status, 403)
    assert.equal((await client.attempt(create, { card_id: theirCard, comment: 'x' })).status, 403)
  }
  const { comments } = await service.client(reader.token).call(list, { card_id: theirCard })
  assert.equal(comments.at(-1)?.comment, 'theirs')
})

test('200 only the author changes a comment, and the same text is no change', async () => {
  const card = await newCard()
  const before = await comment(card)
  const { comment: after } = await member.call(update, { id: before.id, comment: ' other ' })
  assert.deepEqual(after, { ...before, comment: 'other', updated_at: after.updated_at })
  assert.ok(after.updated_at > before.updated_at)
  const eventsOf = async () =>
    (await member.call(`${operations}/activity/list`, { board_id: boardId, card_id: card })).activity
  const events = await eventsOf()
  assert.equal(events[0]?.kind, 'comment.updated')
  assert.deepEqual((await member.call(update, { id: before.id, comment: 'other' })).comment, after)
  assert.deepEqual(await eventsOf(), events)
  for (const { token } of [members.admin, members.owner]) {
    const refused = await service.client(token).attempt(update, { id: before.id, comment: 'x' })
    assert.equal(refused.status, 403)
  }
  assert.equal((await member.call(list, { card_id: card })).comments[0]?.comment, 'other')
  assert.equal((await member.attempt(update, { id: before.id, comment: ' ' })).status, 422)
})

test('200 author or admin deletes a comment with its replies, or a single reply; 403 for anyone else', async () => {
  const card = await newCard()
  const [first, second] = [await comment(card), await comment(card)]
  const [reply, another] = [await comment(card, first.id, admin), await comment(card, first.id)]
  const colleague = await service.addUser({ roles: { [projectId]: 'member' } })
  assert.equal((await service.client(colleague.token).attempt(remove, { id: first.id })).status, 403)
  const { status, body } = await send('/comments/delete', { id: another.id })
  assert.equal(status, 200)
  assert.deepEqual(body, { error: false, message: 'The comment was deleted.', data: [] })
  assert.deepEqual(await idsOf(card), [first.id, second.id, reply.id])
  assert.equal((await send('/comments/delete', { id: another.id })).status, 404)
  await member.call(remove, { id: first.id })
  assert.deepEqual(await idsOf(card), [second.id])
  await admin.call(remove, { id: second.id })
  assert.deepEqual(await idsOf(card), [])
})

test('200 author or admin restores a comment with the replies deleted with it; 403 for anyone else', async () => {
  const card = await newCard()
  const [first, second] = [await comment(card), await comment(card)]
  const [early, late] = [await comment(card, first.id), await comment(card, first.id, admin)]
  await member.call(remove, { id: early.id })
  await member.call(remove, { id: first.id })
  assert.deepEqual(await idsOf(card), [second.id])
  const colleague = await service.addUser({ roles: { [projectId]: 'member' } })
  assert.equal((await service.client(colleague.token).attempt(restore, { id: first.id })).status, 403)
  assert.deepEqual(await idsOf(card), [second.id])
  const { status, body } = await send('/comments/restore', { id: first.id })
  assert.deepEqual([status, body.message], [200, 'The comment was restored.'])
  assert.deepEqual({ ...body.data.comment, mentions: [] }, first)
  assert.deepEqual(await idsOf(card), [first.id, second.id, late.id])
  await admin.call(restore, { id: early.id })
  assert.deepEqual(await idsOf(card), [first.id, second.id, early.id, late.id])
})

test('400 restore a reply while the comment that it answers is being deleted', async () => {
  const card = await newCard()
  const parent = await comment(card)
  const reply = await comment(card, parent.id)
  await member.call(remove, { id: reply.id })
  const { restoring } = await change(service.db, projectId, async ({ sql }) => {
    const running = member.attempt(restore, { id: reply.id })
    await waitingForLocks(service.db, 1)
    await sql`update comments set deleted_at = now() where id = ${parent.id}`
    return { restoring: running }
  })
  assert.equal((await restoring).status, 400)
  assert.deepEqual(await idsOf(card), [])
})

test('400 restore for a comment that is not deleted or whose parent is; 404 if its card is deleted, or after 30 days', async () => {
  const card = await newCard()
  const first = await comment(card)
  const reply = await comment(card, first.id)
  const refusal = async (id: number) => {
    const { status, body } = await send('/comments/restore', { id })
    return [status, body.message]
  }
  assert.deepEqual(await refusal(first.id), [400, 'This comment is not deleted.'])
  await member.call(remove, { id: reply.id })
  await member.call(remove, { id: first.id })
  assert.deepEqual(await refusal(reply.id), [400, 'The comment that this replies to was deleted.'])
  await member.call(`${operations}/cards/delete`, { id: card })
  assert.equal((await refusal(first.id))[0], 404)
  await member.call(`${operations}/cards/restore`, { id: card })
  await service.db.sql`update comments set deleted_at = now() - interval '31 days' where id = ${first.id}`
  assert.equal((await refusal(first.id))[0], 404)
  for (const id of [0, -1, Number.MAX_SAFE_INTEGER]) assert.equal((await refusal(id))[0], 404)
  assert.deepEqual(await idsOf(card), [])
})

test('200 mark-read: one or all, for the caller alone, viewers too; twice changes nothing', async () => {
  const card_id = await newCard()
  const [first, second] = [await comment(card_id), await comment(card_id)]
  const third = await comment(card_id, null, admin)
  const readBy = async (client = viewer) =>
    (await client.call(list, { card_id })).comments.flatMap((entry) => (entry.is_read ? [entry.id] : []))
  assert.deepEqual(await readBy(), [])
  assert.deepEqual(await viewer.call(markRead, { card_id, comment_id: second.id }), { read_count: 1 })
  assert.deepEqual(await viewer.call(markRead, { card_id, comment_id: second.id }), { read_count: 0 })
  assert.deepEqual(await readBy(), [second.id])
  const { comments } = await viewer.call(list, { card_id })
  const readAt = comments[1]?.read_at
  assert.ok(Math.abs(Date.parse(readAt ?? '') - Date.now()) < 60_000)
  assert.equal(comments[0]?.read_at, null)
  assert.deepEqual(await viewer.call(markRead, { card_id }), { read_count: 2 })
  assert.deepEqual(await readBy(), [first.id, second.id, third.id])
  assert.equal((await viewer.call(list, { card_id })).comments[1]?.read_at, readAt)
  assert.deepEqual(await readBy(member), [first.id, second.id])
  assert.deepEqual(await member.call(markRead, { card_id, comment_id: first.id }), { read_count: 0 })
  assert.deepEqual(await member.call(markRead, { card_id, comment_id: null }), { read_count: 1 })
})

test('422 mark-read: a comment that is not on the card', async () => {
  const card_id = await newCard()
  const elsewhere = await comment(await newCard())
  const deleted = await comment(card_id)
  await member.call(remove, { id: deleted.id })
  const theirs = (await other.member.call(create, { card_id: theirCard, comment: 'x' })).comment
  for (const comment_id of [elsewhere.id, deleted.id, theirs.id, 0, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await send('/comments/mark-read', { card_id, comment_id })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { comment_id: ['The selected comment id is invalid.'] })
  }
})

test('200 unread: how many of each card, for the caller; own, read, and deleted ones do not count', async () => {
  const fresh = await createBoard(service, { cards: 3 })
  const [a, b, c] = fresh.cardIds as [number, number, number]
  const reader = service.client(fresh.members.viewer.token)
  const say = async (client: typeof member, card_id: number) =>
    (await client.call(create, { card_id, comment: 'x' })).comment.id
  const first = await say(fresh.member, a)
  await say(fresh.member, a)
  await say(fresh.admin, b)
  const gone = await say(fresh.admin, c)
  const countsOf = async (client: typeof member) =>
    (await client.call(unread, { board_id: fresh.boardId })).cards.map((entry) => [
      entry.card_id,
      entry.unread_count,
    ])
  assert.deepEqual(await countsOf(reader), [
    [a, 2],
    [b, 1],
    [c, 1],
  ])
  assert.deepEqual(await countsOf(fresh.member), [
    [b, 1],
    [c, 1],
  ])
  await reader.call(markRead, { card_id: a, comment_id: first })
  await fresh.admin.call(remove, { id: gone })
  await fresh.admin.call(`${operations}/cards/delete`, { id: b })
  assert.deepEqual(await countsOf(reader), [[a, 1]])
  assert.deepEqual(await countsOf(fresh.member), [])
  const personal = async (client: typeof member) =>
    (await client.call(`${operations}/boards/get-personal`, { board_id: fresh.boardId })).cards
  assert.deepEqual(await personal(reader), [{ card_id: a, comments_count: 2, unread_count: 1 }])
  assert.deepEqual(await personal(fresh.member), [{ card_id: a, comments_count: 2, unread_count: 0 }])
  assert.deepEqual(await countsOf(fresh.admin), [[a, 2]])
})

test('200 list: the oldest first, page by page, each comment once', async () => {
  const card_id = await newCard()
  const ids: number[] = []
  for (let number = 0; number < 5; number++) ids.push((await comment(card_id)).id)
  for (const limit of [1, 2, 4, 5, 200]) {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const page: { comments: { id: number }[]; next_cursor: string | null } = await member.call(list, {
        card_id,
        limit,
        cursor,
      })
      assert.ok(page.comments.length >= 1 && page.comments.length <= limit)
      seen.push(...page.comments.map((entry) => entry.id))
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.deepEqual(seen, ids, `limit ${limit}`)
  }
})

test('200 list: fifty at a time by default', async () => {
  const card_id = await newCard()
  await service.db.sql`
    insert into comments (project_id, card_id, user_id, comment)
    select ${projectId}, ${card_id}, ${members.member.id}, 'x' from generate_series(1, 51)`
  const { comments, next_cursor } = await member.call(list, { card_id })
  assert.equal(comments.length, 50)
  const rest = await member.call(list, { card_id, cursor: next_cursor, limit: null })
  assert.equal(rest.comments.length, 1)
  assert.equal(rest.next_cursor, null)
})

test('422 list: a limit out of range and an invalid cursor', async () => {
  const card_id = await newCard()
  for (const [limit, sentence] of [
    [0, 'The limit field must be at least 1.'],
    [201, 'The limit field must not be greater than 200.'],
  ]) {
    const { status, body } = await send('/comments/list', { card_id, limit })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { limit: [sentence] })
  }
  for (const cursor of ['x', '1.5', '9'.repeat(20), '1;drop', 'NaN', 'Infinity', '1 2']) {
    const { status, body } = await send('/comments/list', { card_id, cursor })
    assert.equal(status, 422, cursor)
    assert.deepEqual(body.errors, { cursor: ['The selected cursor is invalid.'] })
  }
})

test('200: cards/get and comments/list give every comment once, page by page, whatever their length', async () => {
  const card_id = await newCard()
  const written: number[] = []
  for (let number = 0; number < 6; number++) {
    const { comment: made } = await member.call(create, { card_id, comment: '😀'.repeat(65_000) })
    written.push(made.id)
  }

  const newestFirst: number[][] = []
  for (let cursor: string | null = null; ; ) {
    const read: Awaited<ReturnType<typeof readCard>> = await readCard(card_id, cursor)
    assert.equal(read.comments_count, 6)
    newestFirst.push(read.comments.map(({ id }) => id))
    cursor = read.next_cursor
    if (cursor === null) break
  }
  // Of 260,000 bytes each: the fourth is the last that begins below a million.
  assert.deepEqual(newestFirst, [written.slice(2), written.slice(0, 2)])

  const oldestFirst: number[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof readList>> = await readList(card_id, cursor)
    oldestFirst.push(...page.comments.map(({ id }) => id))
    cursor = page.next_cursor
    if (cursor === null) break
  }
  assert.deepEqual(oldestFirst, written)
  const { comments, next_cursor } = await member.call(`${operations}/cards/get`, { id: card_id, limit: 2 })
  assert.deepEqual([comments.map(({ id }) => id), next_cursor], [written.slice(4), String(written[4])])
})

const readCard = (id: number, cursor: string | null) => member.call(`${operations}/cards/get`, { id, cursor })
const readList = (card_id: number, cursor: string | null) => member.call(list, { card_id, cursor, limit: 2 })

test('422 for an invalid cursor of cards/get', async () => {
  const answer = await member.attempt(`${operations}/cards/get`, { id: await newCard(), cursor: 'x' })
  assert.equal(answer.status, 422)
})
