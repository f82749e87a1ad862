// What brings a dismissed tour back, and who has seen it; dismiss-all.test.ts has the rest.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { createMaster, type Receiver } from '#tests/master.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const tour = `${operations}/tour/cards` as const
const service = await startTestService()

/** A board with tour cards, the last of which is in the second group. */
async function createTour(cards = 3) {
  const fixture = await createBoard(service, { cards })
  await service.db.sql`
    update cards set tour_key = 'step.' || id where project_id = ${fixture.projectId}`
  await fixture.member.call(`${operations}/cards/move`, {
    id: fixture.cardIds.at(-1) as number,
    group_id: fixture.groupIds[1] as number,
  })
  return fixture
}

test('list: the active tour cards in the order of groups and cards, or the dismissed ones', async () => {
  const { member, members, cardIds, groupIds, boardId } = await createTour()
  const [first, second, third] = cardIds as [number, number, number]
  await member.call(`${operations}/cards/create`, { title: 'No step', group_id: groupIds[0] as number })
  await member.call(`${operations}/cards/update`, {
    id: second,
    status: 'closed',
    short_description: 'Short',
  })
  await member.call(`${operations}/cards/move`, { id: first, group_id: groupIds[0] as number, position: 2 })
  const listed = async (input = {}) => (await member.call(`${tour}/list`, input)).cards
  assert.deepEqual(await listed(), [
    {
      id: second,
      board_id: boardId,
      tour_key: `step.${second}`,
      title: 'Card 2',
      short_description: 'Short',
      status: 'closed',
    },
    ...[first, third].map((id, index) => ({
      id,
      board_id: boardId,
      tour_key: `step.${id}`,
      title: `Card ${index * 2 + 1}`,
      short_description: null,
      status: 'open',
    })),
  ])
  await member.call(`${operations}/cards/update`, { id: first, is_active: false })
  await member.call(`${operations}/cards/delete`, { id: third })
  assert.deepEqual(
    [(await listed()).map(({ id }) => id), (await listed({ is_dismissed: true })).map(({ id }) => id)],
    [[second], [first]],
  )
  const viewer = await post<{ cards: object[] }>(service, `${tour}/list`, members.viewer.token)
  assert.deepEqual([viewer.status, viewer.body.data.cards.length], [200, 1])
})

test('list: no cards of boards and groups that the project does not show', async () => {
  const { member, admin, boardId, groupIds, projectId } = await createTour()
  const count = async () => (await member.call(`${tour}/list`)).cards.length
  assert.equal(await count(), 3)
  await service.db
    .sql`update groups set is_active = false where project_id = ${projectId} and id = ${groupIds[1] as number}`
  assert.equal(await count(), 2)
  await service.db
    .sql`update boards set tool_key = 'shop' where project_id = ${projectId} and id = ${boardId}`
  assert.equal(await count(), 0)
  await service.db.sql`update boards set tool_key = null where project_id = ${projectId} and id = ${boardId}`
  await admin.call(`${operations}/boards/update`, { id: boardId, is_active: false })
  assert.equal(await count(), 0)
})

test('mark-seen: for this person in this project, once; a superadmin who is no member has always seen it', async () => {
  const mine = await createTour()
  const other = await createTour()
  const { token } = await service.addUser({
    roles: { [mine.projectId]: 'viewer', [other.projectId]: 'member' },
  })
  const isSeen = async (as: string, projectId: number) =>
    (await service.client(as, { 'x-project-id': String(projectId) }).call(`${tour}/list`)).is_seen
  assert.equal(await isSeen(token, mine.projectId), false)
  const answer = await post(service, `${tour}/mark-seen`, token)
  assert.deepEqual([answer.status, answer.body.data], [200, []])
  const at = () =>
    service.db.sql`select * from memberships where project_id = ${mine.projectId} order by user_id`
  const before = await at()
  await service.client(token).call(`${tour}/mark-seen`)
  assert.deepEqual(await at(), before)
  assert.equal(await isSeen(token, mine.projectId), true)
  assert.equal(await isSeen(token, other.projectId), false)
  assert.equal(await isSeen(mine.members.member.token, mine.projectId), false)
  const superadmin = await service.addUser({ superadmin: true })
  assert.equal(await isSeen(superadmin.token, mine.projectId), true)
})

test('users/me: the tour opens by itself for a member who has not closed it, while a step is left', async () => {
  const { projectId, member, members, cardIds } = await createTour(1)
  const id = cardIds[0] as number
  const me = async (token: string, input: object) => {
    const client = service.client(token, { 'x-project-id': String(projectId) })
    return (await client.call('/services/identity/v1/users/me', input)).current_project?.tour
  }
  const tourOf = (token: string) => me(token, { with_tour: true })
  const mine = () => tourOf(members.member.token)
  const superadmin = await service.addUser({ superadmin: true })
  assert.deepEqual(
    [await mine(), await me(members.member.token, {}), await tourOf(superadmin.token)],
    ['opens', null, 'closed'],
  )
  await member.call(`${operations}/cards/update`, { id, status: 'closed' })
  assert.equal(await mine(), 'none')
  await member.call(`${operations}/cards/update`, { id, status: 'open' })
  assert.equal(await mine(), 'opens')
  await member.call(`${tour}/dismiss-all`)
  assert.equal(await mine(), 'none')
  await member.call(`${tour}/restore-all`)
  await member.call(`${tour}/mark-seen`)
  assert.deepEqual([await mine(), await tourOf(members.admin.token)], ['closed', 'opens'])
})

test('restore-all: the dismissed cards come back with their status, and a second call brings back none', async () => {
  const { member, members, cardIds, projectId, boardId } = await createTour()
  const [first, second, third] = cardIds as [number, number, number]
  await member.call(`${operations}/cards/update`, { id: first, status: 'closed' })
  await member.call(`${operations}/cards/delete`, { id: third })
  await member.call(`${tour}/dismiss-all`)
  const answer = await post(service, `${tour}/restore-all`, members.member.token)
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { error: false, message: 'The tour was brought back.', data: { restored_count: 2 } }],
  )
  assert.deepEqual(await member.call(`${tour}/restore-all`), { restored_count: 0 })
  const { cards } = await member.call(`${tour}/list`)
  assert.deepEqual(
    cards.map(({ id, status }) => [id, status]),
    [
      [first, 'closed'],
      [second, 'open'],
    ],
  )
  const events = await service.db.sql`
    select board_id, actor_id, data from events where project_id = ${projectId} and kind = 'cards.reactivated'`
  assert.deepEqual(
    [...events],
    [{ board_id: boardId, actor_id: members.member.id, data: { card_ids: [first, second] } }],
  )
})

test('a tour that was dismissed and brought back receives what its template changed since', async () => {
  const master = await createMaster(service, { projects: 1, cards: 1 })
  const id = master.cardIds[0] as number
  const update = '/services/operations/v1/admin/master-cards/update'
  await master.admin.call(update, { id, tour_key: 'step.one' })
  await master.sync()
  const { client: member } = master.projects[0] as Receiver
  assert.deepEqual(await member.call(`${tour}/dismiss-all`), { dismissed_count: 1 })
  await master.admin.call(update, { id, title: 'Renamed' })
  await master.sync()
  assert.deepEqual((await member.call(`${tour}/list`)).cards, [])
  assert.deepEqual(await member.call(`${tour}/restore-all`), { restored_count: 1 })
  assert.equal((await member.call(`${tour}/list`)).cards[0]?.title, 'Renamed')
})
