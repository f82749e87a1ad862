import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const path = `${operations}/tour/cards/dismiss-all` as const
const service = await startTestService()

/** A board whose first cards are tour cards. */
async function tour(tourCards: number, cards = tourCards) {
  const fixture = await createBoard(service, { cards })
  const ids = fixture.cardIds.slice(0, tourCards)
  await service.db.sql`update cards set tour_key = 'tour-' || id where id in ${service.db.sql(ids)}`
  return fixture
}

const active = async (ids: readonly number[]) =>
  [
    ...(await service.db.sql<
      { id: number }[]
    >`select id from cards where id in ${service.db.sql(ids)} and is_active order by id`),
  ].map(({ id }) => id)

test('200 with how many were dismissed, without a body; a second call dismisses none', async () => {
  const { members, member, cardIds, projectId, boardId } = await tour(3, 4)
  const first = await post(service, path, members.member.token)
  assert.deepEqual(
    { status: first.status, body: first.body },
    { status: 200, body: { error: false, message: 'The tour was dismissed.', data: { dismissed_count: 3 } } },
  )
  assert.deepEqual(await active(cardIds), [cardIds[3]])
  const second = await post(service, path.replace('/v1/', '/v2/'), members.member.token, {})
  assert.deepEqual(second.body.data, { dismissed_count: 0 })
  const events = await service.db.sql`
    select kind, board_id, actor_id, data from events where project_id = ${projectId} and kind = 'cards.dismissed'`
  assert.deepEqual(
    [...events],
    [
      {
        kind: 'cards.dismissed',
        board_id: boardId,
        actor_id: members.member.id,
        data: { card_ids: cardIds.slice(0, 3) },
      },
    ],
  )
  const { board } = await member.call(`${operations}/boards/get`, { id: boardId })
  assert.deepEqual(
    board.groups[0]?.cards.map((card) => card.is_active),
    [false, false, false, true],
  )
})

test('only active tour cards that are not deleted, and only those of the project', async () => {
  const mine = await tour(4)
  const other = await tour(2)
  const [dismissed, deleted, ...left] = mine.cardIds as [number, number, ...number[]]
  await mine.member.call(`${operations}/cards/update`, { id: dismissed, is_active: false })
  await mine.member.call(`${operations}/cards/delete`, { id: deleted })
  const unchanged = () =>
    service.db
      .sql`select id, is_active, updated_at from cards where id in (${dismissed}, ${deleted}) order by id`
  const before = await unchanged()
  assert.deepEqual(await mine.member.call(path), { dismissed_count: left.length })
  assert.deepEqual(await unchanged(), before)
  assert.deepEqual(await active(other.cardIds), other.cardIds)
})

test('it acts in the project of X-Project-Id: 403 for viewers and strangers, 422 if it is not a number', async () => {
  const mine = await tour(1)
  const readOnly = await tour(1)
  const foreign = await tour(1)
  const { token } = await service.addUser({
    roles: { [mine.projectId]: 'member', [readOnly.projectId]: 'viewer' },
  })
  const status = async (projectId: unknown) =>
    (await service.client(token, { 'x-project-id': String(projectId) }).attempt(path)).status
  assert.equal(await status(readOnly.projectId), 403)
  assert.equal(await status(foreign.projectId), 403)
  assert.equal(await status(999_999), 403)
  assert.equal(await status('mine'), 422)
  assert.deepEqual(await active([...mine.cardIds, ...readOnly.cardIds, ...foreign.cardIds]), [
    ...mine.cardIds,
    ...readOnly.cardIds,
    ...foreign.cardIds,
  ])
  assert.equal(await status(mine.projectId), 200)
  assert.deepEqual(await active(mine.cardIds), [])
})

test('8 in parallel dismiss each card once', async () => {
  const { member } = await tour(5)
  const results = await Promise.all(Array.from({ length: 8 }, () => member.call(path)))
  assert.equal(
    results.reduce((sum, { dismissed_count: count }) => sum + count, 0),
    5,
  )
})

test('200 after a deadlock with another change of the same cards: it is tried again', async () => {
  const { member, cardIds } = await tour(2)
  const [first, second] = cardIds as [number, number]
  let answer: ReturnType<typeof member.attempt<typeof path>> | undefined
  await service.db.transaction(async ({ sql }) => {
    // PostgreSQL may end this change instead of the call; then everything begins anew.
    await answer
    await service.db.sql`update cards set is_active = true where id in ${service.db.sql(cardIds)}`
    await sql`select from cards where id = ${second} for update`
    answer = member.attempt(path)
    await sql.unsafe(`do $$ begin
      while not exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) loop perform pg_sleep(0.01); end loop;
      perform from cards where id = ${first} for update;
    end $$`)
  })
  const result = await answer
  assert.deepEqual(result?.ok && result.data, { dismissed_count: 2 })
})
