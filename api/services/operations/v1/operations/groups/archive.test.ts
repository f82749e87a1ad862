import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { createMaster } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const groups = `${operations}/groups` as const
const service = await startTestService()

const scene = async () => {
  const made = await createBoard(service, { cards: 2 })
  const [first, second, third] = made.groupIds as [number, number, number]
  const shown = async () => {
    const { board } = await made.admin.call(`${operations}/boards/get`, { id: made.boardId })
    return board.groups.map(({ id, position, cards }) => [id, position, cards.length])
  }
  return { ...made, first, second, third, shown }
}

test('an archived group leaves its board with its cards, is listed, and comes back to its place', async () => {
  const { admin, boardId, first, second, third, cardIds, shown } = await scene()
  const before = await shown()
  const { group } = await admin.call(`${groups}/archive`, { id: first })
  assert.deepEqual([group.id, group.is_active, group.position], [first, false, 1])
  assert.deepEqual(await shown(), [
    [second, 1, 0],
    [third, 2, 0],
  ])
  const { groups: archived } = await admin.call(`${groups}/list-archived`, { board_id: boardId })
  assert.deepEqual(
    archived.map(({ id, title, cards_count }) => ({ id, title, cards_count })),
    [{ id: first, title: 'To do', cards_count: 2 }],
  )
  const { card } = await admin.call(`${operations}/cards/get`, { id: cardIds[0] as number })
  assert.equal(card.group_id, first)
  await admin.call(`${groups}/archive`, { id: first })
  const back = await admin.call(`${groups}/unarchive`, { id: first })
  assert.deepEqual([back.group.is_active, back.group.position], [true, 1])
  await admin.call(`${groups}/unarchive`, { id: first })
  assert.deepEqual(await shown(), before)
  assert.deepEqual((await admin.call(`${groups}/list-archived`, { board_id: boardId })).groups, [])
  const { activity } = await admin.call(`${operations}/activity/list`, { board_id: boardId })
  assert.deepEqual(
    activity.slice(0, 2).map(({ kind, data }) => [kind, (data as { cards_count: number }).cards_count]),
    [
      ['group.unarchived', 2],
      ['group.archived', 2],
    ],
  )
  await assertSizesTrue(service.db)
})

test('counts, search and the cards of a person leave archived groups out', async () => {
  const { admin, boardId, first, cardIds, members } = await scene()
  const own = await admin.call(`${operations}/cards/update`, {
    id: cardIds[0] as number,
    owner_id: members.admin.id,
    due_date: '2020-01-01',
  })
  const counts = async () => {
    const { boards } = await admin.call(`${operations}/boards/list`, {})
    const { groups_count, cards_count, open_cards_count, overdue_cards_count } = boards.find(
      ({ id }) => id === boardId,
    ) as (typeof boards)[number]
    const found = await admin.call(`${operations}/cards/search`, { query: own.card.title })
    const mine = await admin.call(`${operations}/cards/search`, { is_mine: true })
    return {
      ...{ groups_count, cards_count, open_cards_count, overdue_cards_count },
      found: found.cards.map(({ id }) => id),
      mine: mine.cards.map(({ id }) => id),
    }
  }
  const present = {
    ...{ groups_count: 3, cards_count: 2, open_cards_count: 2, overdue_cards_count: 1 },
    found: [own.card.id],
    mine: [own.card.id],
  }
  assert.deepEqual(await counts(), present)
  await admin.call(`${groups}/archive`, { id: first })
  assert.deepEqual(await counts(), {
    ...{ groups_count: 2, cards_count: 0, open_cards_count: 0, overdue_cards_count: 0 },
    ...{ found: [], mine: [] },
  })
  await admin.call(`${groups}/unarchive`, { id: first })
  assert.deepEqual(await counts(), present)
})

test('422 a card can neither be created in an archived group nor moved into it, but out of it', async () => {
  const { admin, member, members, boardId, first, second, cardIds, shown } = await scene()
  const [a, b] = cardIds as [number, number]
  await admin.call(`${groups}/archive`, { id: first })
  for (const [path, input] of [
    ['cards/create', { title: 'x', group_id: first }],
    ['cards/move', { id: a, position: 2 }],
    ['cards/move', { id: b, group_id: first }],
  ] as const) {
    const answer = await post(
      service,
      `${operations}/${path}`.replace('/v1/', '/v2/'),
      members.member.token,
      input,
    )
    assert.equal(answer.status, 422, path)
    const { codes } = answer.body as unknown as { codes: object }
    assert.deepEqual(codes, { group_id: ['archived'] })
  }
  // Without a group, the first that is on a board.
  const { card } = await member.call(`${operations}/cards/create`, { title: 'New' })
  assert.equal(card.group_id, second)
  await member.call(`${operations}/cards/move`, { id: b, group_id: second, position: 1 })
  assert.equal((await shown())[0]?.[2], 2)
  const { groups: archived } = await admin.call(`${groups}/list-archived`, { board_id: boardId })
  assert.equal(archived[0]?.cards_count, 1)
})

test('an archived group has no position; its other fields can be changed, and it can be deleted and restored', async () => {
  const { admin, members, boardId, first, second, third, shown } = await scene()
  await admin.call(`${groups}/archive`, { id: first })
  const before = await shown()
  const moving = await post(service, `${groups}/update`, members.admin.token, { id: first, position: 2 })
  assert.equal(moving.status, 422)
  const reordering = await post(service, `${groups}/reorder`, members.admin.token, {
    groups: [
      { id: second, position: 2 },
      { id: first, position: 1 },
    ],
  })
  assert.equal(reordering.status, 422)
  assert.deepEqual(await shown(), before)
  const { group } = await admin.call(`${groups}/update`, { id: first, title: 'Put away' })
  assert.deepEqual([group.title, group.is_active], ['Put away', false])
  await admin.call(`${groups}/reorder`, { groups: [{ id: third, position: 1 }] })
  await admin.call(`${groups}/delete`, { id: first })
  assert.deepEqual((await admin.call(`${groups}/list-archived`, { board_id: boardId })).groups, [])
  await admin.call(`${groups}/restore`, { id: first })
  const { groups: archived } = await admin.call(`${groups}/list-archived`, { board_id: boardId })
  assert.deepEqual(
    archived.map(({ title, cards_count }) => [title, cards_count]),
    [['Put away', 2]],
  )
})

test('a deleted card of an archived group is restored to the first group of its board', async () => {
  const { admin, first, second, cardIds } = await scene()
  const id = cardIds[0] as number
  await admin.call(`${operations}/cards/delete`, { id })
  await admin.call(`${groups}/archive`, { id: first })
  const { things } = await admin.call(`${operations}/trash/list`, {})
  assert.equal(things.find(({ thing_id }) => thing_id === id)?.returns_to_group, 'Doing')
  assert.equal((await admin.call(`${operations}/cards/restore`, { id })).card.group_id, second)
})

test('403 for members, who may not delete groups either', async () => {
  const { members, boardId, first } = await scene()
  for (const verb of ['archive', 'unarchive'])
    for (const [role, status] of [
      ['member', 403],
      ['admin', 200],
    ] as const) {
      const answer = await post(service, `${groups}/${verb}`, members[role].token, { id: first })
      assert.equal(answer.status, status)
    }
  const listing = await post(service, `${groups}/list-archived`, members.viewer.token, { board_id: boardId })
  assert.equal(listing.status, 200)
})

test('what a rollout brings to an archived group waits there, and the list says how much', async () => {
  const template = await createMaster(service, { cards: 1 })
  await template.sync()
  const [project] = template.projects as [(typeof template.projects)[number]]
  const { id: boardId, groups: present } = await template.copyIn(project)
  const id = present[0]?.id as number
  const { client } = project
  await client.call(`${groups}/archive`, { id })
  const counts = async () => {
    const { groups: archived } = await client.call(`${groups}/list-archived`, { board_id: boardId })
    return archived.map((group) => [group.cards_count, group.new_cards_count])
  }
  assert.deepEqual(await counts(), [[1, 0]])
  await template.addCard({ title: 'Later', push_to_projects: true })
  assert.deepEqual(await counts(), [[2, 1]])
  await client.call(`${groups}/unarchive`, { id })
  await client.call(`${groups}/archive`, { id })
  assert.deepEqual(await counts(), [[2, 0]])
})
