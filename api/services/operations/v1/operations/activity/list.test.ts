import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { sender } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const list = `${operations}/activity/list`
const service = await startTestService()
const { projectId, members, admin, member, boardId, groupIds } = await createBoard(service)
const [firstGroup, secondGroup] = groupIds as [number, number]
const other = await createBoard(service, { cards: 1 })
const send = sender(service, members.member.token, operations)
const viewer = service.client(members.viewer.token)

const newCard = async (group_id = firstGroup) =>
  (await member.call(`${operations}/cards/create`, { title: 'Card', group_id })).card.id
const activityOf = async (card_id: number, board_id = boardId) =>
  (await viewer.call(list, { board_id, card_id })).activity

test('200 who did what to a card and when, the newest first, for viewers too', async () => {
  const id = await newCard()
  await admin.call(`${operations}/cards/update`, { id, title: 'Other', owner_id: members.member.id })
  await member.call(`${operations}/cards/move`, { id, group_id: secondGroup, position: 1 })
  const { comment } = await member.call(`${operations}/comments/create`, { card_id: id, comment: 'x' })
  await member.call(`${operations}/comments/update`, { id: comment.id, comment: 'y' })
  await member.call(`${operations}/comments/delete`, { id: comment.id })
  await admin.call(`${operations}/cards/delete`, { id })
  await admin.call(`${operations}/cards/restore`, { id })
  const { body } = await send('/activity/list', { board_id: boardId, card_id: id })
  const by = async (user: { id: number }) => {
    const [found] = await service.db.sql`select name from users where id = ${user.id}`
    return { board_id: boardId, card_id: id, actor_id: user.id, actor_name: found?.['name'] }
  }
  const [byAdmin, byMember] = [await by(members.admin), await by(members.member)]
  const { created_at, sort_order } = (await member.call(`${operations}/cards/get`, { id })).card
  const usual = {
    position: 1,
    sort_order,
    status: 'open',
    priority: 'normal',
    is_active: true,
    needs_confirmation: false,
    due_is_date: false,
    created_by: members.member.id,
    created_at,
  }
  const entries: { id: number; created_at: string }[] = body.data.activity
  assert.deepEqual(
    entries.map(({ id: _id, created_at: _at, ...entry }) => entry),
    [
      {
        ...byAdmin,
        kind: 'card.restored',
        data: { ...usual, title: 'Other', group_id: secondGroup, owner_id: members.member.id },
      },
      { ...byAdmin, kind: 'card.deleted', data: { title: 'Other' } },
      { ...byMember, kind: 'comment.deleted', data: { comment_id: comment.id } },
      { ...byMember, kind: 'comment.updated', data: { comment_id: comment.id } },
      { ...byMember, kind: 'comment.created', data: { comment_id: comment.id } },
      {
        ...byMember,
        kind: 'card.moved',
        data: {
          from_board_id: boardId,
          from_group_id: firstGroup,
          board_id: boardId,
          group_id: secondGroup,
          position: 1,
        },
      },
      {
        ...byAdmin,
        kind: 'card.updated',
        data: {
          changes: { title: { from: 'Card', to: 'Other' }, owner_id: { from: null, to: members.member.id } },
        },
      },
      { ...byMember, kind: 'card.created', data: { ...usual, title: 'Card', group_id: firstGroup } },
    ],
  )
  assert.deepEqual(
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.id).toSorted((a, b) => b - a),
  )
  for (const { created_at } of entries) assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.equal(body.data.next_cursor, null)
})

test('200 a board has the activity of its own groups and cards alone', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Quiet' })
  const { group } = await admin.call(`${operations}/groups/create`, { board_id: board.id, title: 'x' })
  const id = await newCard(group.id)
  await newCard()
  const { activity } = await viewer.call(list, { board_id: board.id })
  assert.deepEqual(
    activity.map((entry) => [entry.kind, entry.board_id, entry.card_id]),
    [
      ['card.created', board.id, id],
      ['group.created', board.id, null],
      ['board.created', board.id, null],
    ],
  )
})

test('200 each board tells which tags of the project were deleted and restored, in order with the rest', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Tagged' })
  const { tag } = await member.call(`${operations}/tags/create`, { name: 'Law' })
  await member.call(`${operations}/tags/delete`, { id: tag.id })
  await admin.call(`${operations}/groups/create`, { board_id: board.id, title: 'x' })
  await member.call(`${operations}/tags/restore`, { id: tag.id })
  const first = await viewer.call(list, { board_id: board.id, limit: 2 })
  const { activity } = await viewer.call(list, { board_id: board.id, limit: 2, cursor: first.next_cursor })
  assert.deepEqual(
    [...first.activity, ...activity].map((entry) => [entry.kind, entry.board_id]),
    [
      ['tag.restored', null],
      ['group.created', board.id],
      ['tag.deleted', null],
      ['board.created', board.id],
    ],
  )
})

test('200 a card keeps its history on another board, with the move in it once', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Second' })
  const { group } = await admin.call(`${operations}/groups/create`, { board_id: board.id, title: 'x' })
  const id = await newCard()
  await member.call(`${operations}/cards/move`, { id, group_id: group.id })
  await member.call(`${operations}/cards/update`, { id, title: 'There' })
  assert.deepEqual(
    (await activityOf(id, board.id)).map((entry) => entry.kind),
    ['card.updated', 'card.moved', 'card.created'],
  )
  const { activity } = await viewer.call(list, { board_id: boardId, limit: 1 })
  assert.equal(activity[0]?.kind, 'card.moved')
  // Each board names what is on the other one.
  const there = { id: group.id, title: 'x', board_title: 'Second' }
  assert.deepEqual(activity[0]?.data['card_elsewhere'], { title: 'There', board_id: board.id })
  assert.deepEqual(activity[0]?.data['groups_elsewhere'], [there])
  const here = { id: firstGroup, title: 'To do', board_title: 'Board' }
  for (const { data } of (await activityOf(id, board.id)).slice(1))
    assert.deepEqual([data['card_elsewhere'], data['groups_elsewhere']], [undefined, [here]])
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  const { activity: later } = await viewer.call(list, { board_id: boardId, limit: 1 })
  assert.deepEqual(
    [later[0]?.data['card_elsewhere'], later[0]?.data['groups_elsewhere']],
    [undefined, [there]],
  )
  // As a purge leaves it.
  await service.db.sql`update groups set title = '' where project_id = ${projectId} and id = ${group.id}`
  const { activity: purged } = await viewer.call(list, { board_id: boardId, limit: 1 })
  assert.equal(purged[0]?.data['groups_elsewhere'], undefined)
})

test('200 page by page, each entry once, also while more is happening', async () => {
  const id = await newCard()
  for (let number = 1; number <= 4; number++)
    await member.call(`${operations}/cards/update`, { id, title: `Title ${number}` })
  const all = await activityOf(id)
  assert.equal(all.length, 5)
  for (const limit of [1, 2, 4, 5]) {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const page: { activity: { id: number }[]; next_cursor: string | null } = await viewer.call(list, {
        board_id: boardId,
        card_id: id,
        limit,
        cursor,
      })
      seen.push(...page.activity.map((entry) => entry.id))
      cursor = page.next_cursor
      await member.call(`${operations}/comments/create`, { card_id: id, comment: 'meanwhile' })
    } while (cursor !== null)
    assert.deepEqual(
      seen.filter((entry) => all.some((known) => known.id === entry)),
      all.map((entry) => entry.id),
    )
    assert.equal(new Set(seen).size, seen.length)
  }
  const whole = await viewer.call(list, { board_id: boardId, limit: 2 })
  assert.equal(whole.activity.length, 2)
  const next = await viewer.call(list, { board_id: boardId, limit: 2, cursor: whole.next_cursor })
  assert.ok((next.activity[0]?.id ?? 0) < (whole.activity[1]?.id ?? 0))
})

test('404 a board that is not there', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'x' })
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  for (const board_id of [board.id, 0, -1, Number.MAX_SAFE_INTEGER])
    assert.equal((await viewer.attempt(list, { board_id })).status, 404)
})

test('422 a card that is not on the board, a limit out of range, an invalid cursor', async () => {
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'x' })
  const id = await newCard()
  const deleted = await newCard()
  await member.call(`${operations}/cards/delete`, { id: deleted })
  const cases: [object, string, string][] = [
    [{ board_id: board.id, card_id: id }, 'card_id', 'The selected card id is invalid.'],
    [{ card_id: deleted }, 'card_id', 'The selected card id is invalid.'],
    [{ card_id: 0 }, 'card_id', 'The selected card id is invalid.'],
    [{ limit: 0 }, 'limit', 'The limit field must be at least 1.'],
    [{ limit: 201 }, 'limit', 'The limit field must not be greater than 200.'],
    [{ cursor: 'x' }, 'cursor', 'The selected cursor is invalid.'],
  ]
  for (const [input, field, sentence] of cases) {
    const { status, body } = await send('/activity/list', { board_id: boardId, ...input })
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { [field]: [sentence] })
  }
})

test("403 another project's board, and another project's card", async () => {
  assert.equal((await viewer.attempt(list, { board_id: other.boardId })).status, 403)
  const card_id = other.cardIds[0] as number
  assert.equal((await viewer.attempt(list, { board_id: boardId, card_id })).status, 403)
  const both = await service.addUser({ roles: { [projectId]: 'viewer', [other.projectId]: 'viewer' } })
  const elsewhere = await service.client(both.token).attempt(list, { board_id: boardId, card_id })
  assert.equal(elsewhere.status, 422)
})
