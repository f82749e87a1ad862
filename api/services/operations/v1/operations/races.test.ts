// Real calls at the same time, in many rounds. Any of them may win, but the result must make sense.

import assert from 'node:assert/strict'
import test from 'node:test'
import { change } from '#events/change.ts'
import { forgetGroupSizes } from '#quotas/room.ts'
import { createBoard } from '#tests/board.ts'
import { rounds } from '#tests/effort.ts'
import { waitingCount } from '#tests/lock-waits.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db
const { projectId, admin, member, boardId, groupIds } = await createBoard(service)
const [firstGroup, secondGroup, thirdGroup] = groupIds as [number, number, number]

const newGroup = async () =>
  (await admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'x' })).group.id
const newCard = async (group_id = firstGroup) =>
  (await member.call(`${operations}/cards/create`, { title: 'x', group_id })).card.id
const comment = async (card_id: number, parent_comment_id: number | null = null) =>
  (await member.call(`${operations}/comments/create`, { card_id, comment: 'x', parent_comment_id })).comment
    .id

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** The statuses that were answered, each once. */
const statuses = (results: { status: number }[]) => [...new Set(results.map(({ status }) => status))].sort()

const lostCards = () => sql`
  select from cards c join groups g on g.project_id = c.project_id and g.id = c.group_id
  where c.deleted_at is null and g.deleted_at is not null`
const lostComments = () => sql`
  select from comments m join cards c on c.project_id = m.project_id and c.id = m.card_id
  where m.deleted_at is null and c.deleted_at is not null`
const lostReplies = () => sql`
  select from comments m join comments parent on parent.project_id = m.project_id and parent.id = m.parent_comment_id
  where m.deleted_at is null and parent.deleted_at is not null`
const lostTags = () => sql`
  select from cards c join tags t on t.project_id = c.project_id and t.id = c.tag_id
  where c.deleted_at is null and t.deleted_at is not null`

test('cards are created in a group, moved and restored to it while it is deleted', async () => {
  for (let round = 0; round < rounds(20); round++) {
    const id = await newGroup()
    const [moved, restored] = [await newCard(), await newCard(id)]
    await member.call(`${operations}/cards/delete`, { id: restored })
    const results = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        member.attempt(`${operations}/cards/create`, { title: 'x', group_id: id }),
      ),
      admin.attempt(`${operations}/groups/delete`, { id }),
      member.attempt(`${operations}/cards/move`, { id: moved, group_id: id }),
      member.attempt(`${operations}/cards/restore`, { id: restored }),
      member.attempt(`${operations}/cards/create`, { title: 'x', group_id: id }),
    ])
    assert.deepEqual(new Set([200, 201, 404, 422, ...statuses(results)]), new Set([200, 201, 404, 422]))
  }
  assert.equal((await lostCards()).length, 0)
})

test('cards are created without a group while the first group is deleted: they go to the next', async () => {
  const race = await createBoard(service)
  for (const id of race.groupIds.slice(0, 2)) {
    const results = await Promise.all([
      ...Array.from({ length: 6 }, () => race.member.attempt(`${operations}/cards/create`, { title: 'x' })),
      race.admin.attempt(`${operations}/groups/delete`, { id }),
    ])
    assert.deepEqual(statuses(results), [200, 201])
  }
  assert.equal((await lostCards()).length, 0)
})

test('a card is commented on while it, or its group, is deleted', async () => {
  for (let round = 0; round < rounds(20); round++) {
    const groupId = await newGroup()
    const id = await newCard(groupId)
    const [path, gone] = round % 2 === 0 ? (['cards', id] as const) : (['groups', groupId] as const)
    const results = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        member.attempt(`${operations}/comments/create`, { card_id: id, comment: 'x' }),
      ),
      admin.attempt(`${operations}/${path}/delete`, { id: gone }),
      member.attempt(`${operations}/comments/create`, { card_id: id, comment: 'x' }),
    ])
    assert.deepEqual(new Set([200, 201, 404, ...statuses(results)]), new Set([200, 201, 404]))
  }
  assert.equal((await lostComments()).length, 0)
})

test('a comment is replied to, directly and through a reply, while it is deleted', async () => {
  const card = await newCard()
  for (let round = 0; round < rounds(30); round++) {
    const id = await comment(card)
    const reply = await comment(card, id)
    const results = await Promise.all([
      ...[id, reply, reply].map((parent_comment_id) =>
        member.attempt(`${operations}/comments/create`, { card_id: card, comment: 'x', parent_comment_id }),
      ),
      member.attempt(`${operations}/comments/delete`, { id }),
      ...[id, reply].map((parent_comment_id) =>
        member.attempt(`${operations}/comments/create`, { card_id: card, comment: 'x', parent_comment_id }),
      ),
    ])
    assert.deepEqual(new Set([200, 201, 422, ...statuses(results)]), new Set([200, 201, 422]))
  }
  assert.equal((await lostReplies()).length, 0)
})

test('a tag is given to cards, new and old, while it is deleted', async () => {
  const cards = await times(4, () => newCard())
  for (let round = 0; round < rounds(20); round++) {
    const { tag } = await member.call(`${operations}/tags/create`, { name: 'x' })
    const results = await Promise.all([
      ...cards.map((id) => member.attempt(`${operations}/cards/update`, { id, tag_id: tag.id })),
      member.attempt(`${operations}/cards/create`, { title: 'x', tag_id: tag.id }),
      member.attempt(`${operations}/tags/delete`, { id: tag.id }),
      member.attempt(`${operations}/cards/create`, { title: 'x', tag_id: tag.id }),
    ])
    assert.deepEqual(new Set([200, 201, 422, ...statuses(results)]), new Set([200, 201, 422]))
  }
  assert.equal((await lostTags()).length, 0)
})

/** Where the card is on the board, and that all positions are dense. */
async function placesOf(cardId: number) {
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  for (const { cards } of board.groups)
    assert.deepEqual(
      cards.map(({ position }) => position),
      cards.map((_card, index) => index + 1),
    )
  return board.groups.filter(({ cards }) => cards.some(({ id }) => id === cardId)).length
}

test('one card is moved by sixteen at once: it is in one place', async () => {
  const ids = [await newCard(), await newCard(secondGroup), await newCard(thirdGroup), await newCard()]
  for (let round = 0; round < rounds(6); round++) {
    const id = ids[round % ids.length] as number
    const results = await times(16, (index) =>
      member.attempt(`${operations}/cards/move`, {
        id,
        group_id: index % 4 === 0 ? null : (groupIds[index % 3] as number),
        position: (index % 5) - 1,
      }),
    )
    assert.deepEqual(statuses(results), [200])
    assert.equal(await placesOf(id), 1)
  }
})

test('cards are moved to one place at once, with and without naming the group, while others are made', async () => {
  const group = await newGroup()
  const ids = await times(8, () => newCard(group))
  for (let round = 0; round < rounds(12); round++) {
    const results = await Promise.all([
      ...ids.map((id, index) =>
        member.attempt(`${operations}/cards/move`, {
          id,
          group_id: index % 4 === 3 ? secondGroup : index % 2 === 0 ? group : null,
          position: round % 2 === 0 ? 1 : 2,
        }),
      ),
      ...ids.map((id) =>
        member.attempt(`${operations}/cards/move`, { id, position: round % 2 === 0 ? 1 : 2 }),
      ),
      ...ids.map(() => member.attempt(`${operations}/cards/create`, { title: 'x', group_id: group })),
    ])
    assert.deepEqual(statuses(results), [200, 201])
  }
  assert.equal(await placesOf(ids[0] as number), 1)
})

test('a card is moved, deleted and restored concurrently', async () => {
  const id = await newCard()
  // 400: it is not deleted (any more).
  const allowed = [200, 400, 404]
  for (let round = 0; round < rounds(10); round++) {
    const results = await Promise.all([
      ...groupIds.map((group_id) =>
        member.attempt(`${operations}/cards/move`, { id, group_id, position: 1 }),
      ),
      member.attempt(`${operations}/cards/delete`, { id }),
      member.attempt(`${operations}/cards/restore`, { id }),
      ...groupIds.map((group_id) =>
        member.attempt(`${operations}/cards/move`, { id, group_id, position: 2 }),
      ),
    ])
    assert.deepEqual(new Set([...allowed, ...statuses(results)]), new Set(allowed))
    await member.attempt(`${operations}/cards/restore`, { id })
    assert.equal(await placesOf(id), 1)
  }
})

/** Whether a call has been answered, or waits for a lock that somebody holds. */
async function settledOrWaiting(call: Promise<unknown>) {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  call.then(settle, settle)
  while (!isSettled && (await waitingCount(service.db)) === 0)
    await new Promise((resolve) => setImmediate(resolve))
}

test('after the tests above the stored size of each board is correct', () => assertSizesTrue(service.db))

test('200 a move beside a card that is being created and not visible yet', async () => {
  for (const position of [1, 2]) {
    const group = await newGroup()
    const moved = await newCard()
    await times(position - 1, () => newCard(group))
    const call = await service.db.transaction(async (unseen) => {
      await unseen.sql`
        insert into cards (project_id, board_id, group_id, title, sort_order)
        select project_id, board_id, id, 'unseen', 1 from groups where id = ${group}`
      await newCard(group)
      const running = member.attempt(`${operations}/cards/move`, { id: moved, group_id: group, position })
      await settledOrWaiting(running)
      return { running }
    })
    assert.equal((await call.running).status, 200)
    assert.equal(await placesOf(moved), 1)
  }
})

test('200 a move within a group that the card has just left, with another move to the same place', async () => {
  const [from, to] = [await newGroup(), await newGroup()]
  const [id, other] = [await newCard(from), await newCard(from)]
  await newCard(to)
  const outer = await change(service.db, projectId, async (queries) => {
    const { sql } = queries
    const running = member.attempt(`${operations}/cards/move`, { id, position: 1 })
    await settledOrWaiting(running)
    await sql`update cards set group_id = ${to}, rank = list_end() where id = ${id}`
    await sql`
      update cards set group_id = ${to}, rank = (select min(rank) - 1048576 | 1 from cards where group_id = ${to})
      where id = ${other}`
    await forgetGroupSizes(queries, [projectId])
    return { running }
  })
  assert.equal((await outer.running).status, 200)
  // The move names a place of the group that the card is in when its turn has come.
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  const first = board.groups.find((group) => group.id === to)?.cards.slice(0, 2)
  assert.deepEqual(
    first?.map((card) => card.id),
    [id, other],
  )
})

test('200 a move to a group that is being re-ranked reaches its position', async () => {
  const group = await newGroup()
  const [first, second] = [await newCard(group), await newCard(group)]
  const moved = await newCard()
  const call = await change(service.db, projectId, async (respacing) => {
    const running = member.attempt(`${operations}/cards/move`, { id: moved, group_id: group, position: 2 })
    await settledOrWaiting(running)
    await respacing.sql`select respace_cards(project_id, id) from groups where id = ${group}`
    return { running }
  })
  assert.equal((await call.running).status, 200)
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  const cards = board.groups.find(({ id }) => id === group)?.cards
  assert.deepEqual(
    cards?.map(({ id }) => id),
    [first, moved, second],
  )
})
