import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CallFailure } from '#contract/client.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'

const base = '/services/operations/v1/operations'
const service = await startTestService()
const second = await startTestService({}, service.address)

const hasStatus = (status: number) => (error: unknown) =>
  error instanceof CallFailure && error.refusal.status === status

type Stream = Awaited<ReturnType<typeof openStream>>
type Person = { user_id: number; board_id: number; editing_card_id: number | null }

/** Who is here, as the stream told last; undefined before it did. */
const presentIn = (stream: Stream) =>
  (stream.messages.findLast(({ event }) => event === 'presence') as { people?: Person[] } | undefined)?.people
const idsIn = (stream: Stream) => presentIn(stream)?.map(({ user_id }) => user_id)

test('people who have a board open see each other, on any instance, until their streams close', async () => {
  const { projectId, boardId, members, member, admin } = await createBoard(service)
  const watching = await openStream(second, members.admin.token)
  const coming = await openStream(service, members.member.token, { query: '?stream_id=one' })
  const { people } = await member.call(`${base}/presence/show`, { stream_id: 'one', board_id: boardId })
  assert.deepEqual(
    people.map(({ user_id, board_id, editing_card_id }) => [user_id, board_id, editing_card_id]),
    [[members.member.id, boardId, null]],
  )
  await until(() => idsIn(watching)?.join() === String(members.member.id), 'the person to be seen')
  // Longer than it would last without the stream.
  await delay(9_000)
  assert.deepEqual(idsIn(watching), [members.member.id])
  await admin.call(`${base}/presence/show`, { stream_id: 'two', board_id: boardId })
  await until(() => idsIn(coming)?.length === 2, 'the other to be seen')
  await coming.close()
  await until(() => idsIn(watching)?.includes(members.member.id) === false, 'the person to leave')
  await watching.close()
  const [{ count } = { count: -1 }] = await service.db.sql<{ count: number }[]>`
    select count(*)::int from presences where project_id <> ${projectId}`
  assert.equal(count, 0)
})

test('a window that stays silent is gone after a while although its stream looks open, and back when it is heard again', async () => {
  const { projectId, boardId, members, member } = await createBoard(service)
  const watching = await openStream(service, members.viewer.token)
  const silent = await openStream(service, members.member.token, { query: '?stream_id=one' })
  const show = () => member.call(`${base}/presence/show`, { stream_id: 'one', board_id: boardId })
  await show()
  await until(() => idsIn(watching)?.join() === String(members.member.id), 'the person to be seen')
  await service.db
    .sql`update presences set shown_at = now() - interval '46 seconds' where project_id = ${projectId}`
  await until(() => idsIn(watching)?.length === 0, 'the silent person to leave')
  assert.equal(silent.hasEnded(), false)
  await show()
  await until(() => idsIn(watching)?.join() === String(members.member.id), 'the person to be back')
  await Promise.all([watching.close(), silent.close()])
})

test('the windows of all projects are prolonged, also if one has a name that cannot be stored', async () => {
  const { projectId, boardId, members, member } = await createBoard(service)
  const own = await openStream(service, members.member.token, { query: '?stream_id=one' })
  await member.call(`${base}/presence/show`, { stream_id: 'one', board_id: boardId })
  const other = await createBoard(service)
  const wild = await openStream(service, other.members.member.token, { query: '?stream_id=%00' })
  await other.member.call(`${base}/presence/show`, { stream_id: 'two', board_id: other.boardId })
  await until(() => idsIn(wild)?.length === 1, 'somebody in the other project')
  // It ends within 7 seconds unless it is prolonged.
  await delay(9_000)
  const [left] = await service.db.sql<{ is_left: boolean }[]>`
    select expires_at > now() as is_left from presences where project_id = ${projectId}`
  assert.equal(left?.is_left, true)
  await Promise.all([own.close(), wild.close()])
})

test('the description that somebody edits is told, and that they stopped', async () => {
  const { boardId, cardIds, members, member } = await createBoard(service, { cards: 1 })
  const watching = await openStream(service, members.viewer.token)
  const own = await openStream(service, members.member.token, { query: '?stream_id=one' })
  const show = (editing_card_id: number | null) =>
    member.call(`${base}/presence/show`, { stream_id: 'one', board_id: boardId, editing_card_id })
  await show(cardIds[0] as number)
  await until(() => presentIn(watching)?.[0]?.editing_card_id === cardIds[0], 'who edits')
  await show(null)
  await until(() => presentIn(watching)?.[0]?.editing_card_id === null, 'that nobody edits')
  await member.call(`${base}/presence/end`, { stream_id: 'one' })
  await until(() => presentIn(watching)?.length === 0, 'that nobody is here')
  await Promise.all([watching.close(), own.close()])
})

test('however often somebody changes what they edit, others are told at most twice a second', async () => {
  const { boardId, cardIds, members, member } = await createBoard(service, { cards: 1 })
  const watching = await openStream(service, members.viewer.token)
  const startedAt = performance.now()
  for (let change = 0; change < 40; change++)
    await member.call(`${base}/presence/show`, {
      stream_id: 'one',
      board_id: boardId,
      editing_card_id: change % 2 === 0 ? null : (cardIds[0] as number),
    })
  await until(() => presentIn(watching)?.[0]?.editing_card_id === cardIds[0], 'who edits at last')
  const seconds = (performance.now() - startedAt) / 1000
  const told = watching.messages.filter(({ event }) => event === 'presence').length
  // The looks of the instance, every three seconds, may tell it too.
  assert.ok(told <= 2 + seconds * (2 + 1 / 3), `${told} in ${seconds} seconds`)
  await watching.close()
})

test('a reader who comes later is told who is here; readers of other projects are not', async () => {
  const { boardId, members, member } = await createBoard(service)
  const other = await createBoard(service)
  const elsewhere = await openStream(service, other.members.member.token)
  const own = await openStream(service, members.member.token, { query: '?stream_id=one' })
  await member.call(`${base}/presence/show`, { stream_id: 'one', board_id: boardId })
  await until(() => idsIn(own)?.length === 1, 'the own presence')
  const late = await openStream(second, members.viewer.token)
  await until(() => idsIn(late)?.length === 1, 'the presence')
  assert.equal(presentIn(elsewhere), undefined)
  await Promise.all([elsewhere.close(), own.close(), late.close()])
})

test('a card of another board or project, and a 51st window, are refused', async () => {
  const { boardId, member } = await createBoard(service)
  const mine = await createBoard(service, { cards: 1 })
  const show = (input: { stream_id: string; editing_card_id?: number }) =>
    member.call(`${base}/presence/show`, { board_id: boardId, ...input })
  await assert.rejects(show({ stream_id: 'one', editing_card_id: mine.cardIds[0] as number }), hasStatus(403))
  await assert.rejects(show({ stream_id: 'one', editing_card_id: 999_999_999 }), hasStatus(422))
  for (let number = 1; number <= 50; number++) await show({ stream_id: String(number) })
  await assert.rejects(show({ stream_id: 'one more' }), hasStatus(422))
  // One that is known may change what it shows.
  await show({ stream_id: '50' })
})

test('a superadmin who is no member is here as Cardinal support', async () => {
  const { projectId, boardId } = await createBoard(service)
  const helper = await service.addUser({ superadmin: true })
  const client = service.client(helper.token, { 'x-project-id': String(projectId) })
  const { people } = await client.call(`${base}/presence/show`, { stream_id: 'help', board_id: boardId })
  assert.deepEqual(
    people.map(({ user_id, name }) => [user_id, name]),
    [[0, 'Cardinal support']],
  )
})
