import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import test from 'node:test'
import { pino } from 'pino'
import { connect, type Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { createBoard } from '#tests/board.ts'
import { effort } from '#tests/effort.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { recordLarge } from '#tests/events.ts'
import { startTestService } from '#tests/service.ts'
import { startLive } from './live.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const second = await startTestService({}, service.address)

const createCard = (fixture: Awaited<ReturnType<typeof createBoard>>, title: string) =>
  fixture.member.call(`${operations}/cards/create`, { title, group_id: fixture.groupIds[0] as number })

test('a change on one instance reaches a stream on another, with who did what', async () => {
  const fixture = await createBoard(service)
  const stream = await openStream(second, fixture.members.viewer.token)
  await until(() => stream.messages.length === 1, 'the first message')
  assert.deepEqual(stream.messages[0]?.events, [])
  const { card } = await createCard(fixture, 'Live')
  await until(() => stream.events().length === 1, 'the event')
  const [event] = stream.events()
  assert.deepEqual(
    { ...event, id: 0, created_at: '' },
    {
      id: 0,
      board_id: fixture.boardId,
      card_id: card.id,
      actor_id: fixture.members.member.id,
      kind: 'card.created',
      data: {
        title: 'Live',
        group_id: fixture.groupIds[0],
        position: 1,
        sort_order: card.sort_order,
        status: 'open',
        priority: 'normal',
        is_active: true,
        needs_confirmation: false,
        due_is_date: false,
        created_by: fixture.members.member.id,
        created_at: card.created_at,
      },
      created_at: '',
    },
  )
  await stream.close()
})

test('a lost stream resumes from its Last-Event-ID and misses nothing', async () => {
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  const stream = await openStream(service, token)
  await until(() => stream.messages.length === 1, 'the first message')
  await createCard(fixture, 'One')
  await until(() => stream.events().length === 1, 'the event')
  const since = stream.lastId()
  await stream.close()
  for (const title of ['Two', 'Three']) await createCard(fixture, title)
  const resumed = await openStream(second, token, { since })
  await until(() => resumed.events().length >= 2, 'the missed events')
  await createCard(fixture, 'Four')
  await until(() => resumed.events().length >= 3, 'the next event')
  const titles = resumed.events().map((event) => (event.data as { title: string }).title)
  assert.deepEqual(titles, ['Two', 'Three', 'Four'])
  await resumed.close()
})

test('writers of a project go one by one, so that nothing commits below a version that was delivered', async () => {
  const fixture = await createBoard(service)
  const stream = await openStream(service, fixture.members.member.token)
  await until(() => stream.messages.length === 1, 'the first message')
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
  const slow = change(service.db, fixture.projectId, async (queries) => {
    const data = { changes: { title: { from: 'Slow', to: 'Slower' } } }
    await recordEvent(queries, { boardId: fixture.boardId, actorId: null, kind: 'card.updated', data })
    await committed
  })
  const quick = createCard(fixture, 'Quick')
  const other = await createBoard(service)
  await createCard(other, 'In another project')
  assert.deepEqual(stream.events(), [])
  commit()
  await Promise.all([slow, quick])
  await until(() => stream.events().length === 2, 'both events')
  assert.deepEqual(
    stream.events().map(({ kind }) => kind),
    ['card.updated', 'card.created'],
  )
  const [first, second] = stream.events()
  assert.equal(second?.id, (first?.id as number) + 1)
  await stream.close()
})

test('an invalid or too old resume point asks the reader to load everything again', async () => {
  const fixture = await createBoard(service)
  const stream = await openStream(service, fixture.members.member.token)
  await until(() => stream.messages.length === 1, 'the first message')
  const since = stream.lastId()
  await service.db.sql`
    select record_event(${fixture.projectId}, ${fixture.boardId}, null, null, 'card.updated', '{"changes": {}}')
    from generate_series(1, 251)`
  const [epoch, version] = since.split('/') as [string, string]
  for (const from of [
    since,
    'nonsense',
    version,
    `0${epoch}/${version}`,
    `other/${version}`,
    `${epoch}/${Number(version) + 252}`,
    `${epoch}/-1`,
    `${epoch}/999999999999999`,
    `${epoch}/9999999999999999`,
    `${epoch}/7:9:7`,
    `${epoch}/1 or true`,
  ]) {
    const resumed = await openStream(service, fixture.members.member.token, { since: from })
    await until(() => resumed.messages.length >= 1, 'the reset')
    assert.deepEqual([resumed.messages[0]?.event, resumed.events()], ['reset', []])
    await resumed.close()
  }
  await stream.close()
})

test('a reader that missed more bytes than are sent at once is asked to load everything again', async () => {
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  const stream = await openStream(service, token)
  await until(() => stream.messages.length === 1, 'the first message')
  const since = stream.lastId()
  await stream.close()
  const missed = async () => {
    const resumed = await openStream(second, token, { since })
    await until(() => resumed.messages.length === 1, 'what was missed')
    await resumed.close()
    return [resumed.messages[0]?.event, resumed.events().length]
  }
  const record = () => recordLarge(service.db, fixture.projectId, fixture.boardId, 25)
  for (let count = 1; count <= 2; count++) await record()
  assert.deepEqual(await missed(), ['changes', 2])
  await record()
  assert.deepEqual(await missed(), ['reset', 0])
})

test('no event of another project', async () => {
  const fixture = await createBoard(service)
  const other = await createBoard(service)
  const stream = await openStream(service, fixture.members.member.token)
  await until(() => stream.messages.length === 1, 'the first message')
  await createCard(other, 'Other')
  await createCard(fixture, 'Own')
  await until(() => stream.events().length > 0, 'the event')
  assert.deepEqual(
    stream.events().map((event) => event.board_id),
    [fixture.boardId],
  )
  await stream.close()
})

const endings: Record<string, (userId: number) => Promise<unknown>> = {
  'the session is revoked': (id) => service.db.sql`delete from sessions where user_id = ${id}`,
  'the membership ends': (id) => service.db.sql`delete from memberships where user_id = ${id}`,
  'the user is disabled': (id) => service.db.sql`update users set disabled_at = now() where id = ${id}`,
}
for (const [name, end] of Object.entries(endings))
  test(`a stream is cut off when ${name}, and gets nothing that happens after`, async () => {
    const fixture = await createBoard(service)
    const stream = await openStream(service, fixture.members.viewer.token)
    await until(() => stream.messages.length === 1, 'the first message')
    await end(fixture.members.viewer.id)
    await createCard(fixture, 'Secret')
    await until(stream.hasEnded, 'the end')
    assert.deepEqual(stream.events(), [])
  })

test('a stream without events is cut off too', async () => {
  const fixture = await createBoard(service)
  const stream = await openStream(service, fixture.members.viewer.token)
  await until(() => stream.messages.length === 1, 'the first message')
  await service.db.sql`delete from sessions where user_id = ${fixture.members.viewer.id}`
  await until(stream.hasEnded, 'the end')
})

test('401, 403, 422 and 429 as JSON in the usual shapes', async () => {
  const fixture = await createBoard(service)
  const other = await service.addProject()
  const statusOf = async (token: string, query = '', at = service) => {
    const { response } = await openStream(at, token, { query })
    const body = response.status === 200 ? {} : ((await response.json()) as object)
    return [response.status, Object.keys(body)]
  }
  assert.deepEqual(await statusOf('nonsense'), [401, ['error', 'message']])
  assert.deepEqual(await statusOf(fixture.members.viewer.token, `?project_id=${other}`), [
    403,
    ['error', 'message'],
  ])
  assert.deepEqual(await statusOf(fixture.members.viewer.token, '?project_id=x'), [
    422,
    ['message', 'errors'],
  ])
  const limited = await startTestService({ anonymousRateLimit: 1 }, service.address)
  await statusOf('nonsense', '', limited)
  assert.deepEqual(await statusOf('nonsense', '', limited), [429, ['error', 'message']])
})

test('the project may be named in the query', async () => {
  const fixture = await createBoard(service)
  const { token } = await service.addUser({ superadmin: true })
  const stream = await openStream(service, token, { query: `?project_id=${fixture.projectId}` })
  await until(() => stream.messages.length === 1, 'the first message')
  await createCard(fixture, 'Seen')
  await until(() => stream.events().length === 1, 'the event')
  await stream.close()
})

test('a service that stops ends its streams', async () => {
  const third = await startTestService({}, service.address)
  const fixture = await createBoard(service)
  const stream = await openStream(third, fixture.members.viewer.token)
  await until(() => stream.messages.length === 1, 'the first message')
  await third.stop()
  await until(stream.hasEnded, 'the end')
})

test('twenty streams that come and go get every event once and in order', async () => {
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  let isWriting = true
  const writing = (async () => {
    for (let number = 0; number < 40 * effort; number++) await createCard(fixture, `Card ${number}`)
    isWriting = false
  })()

  /** Reads everything from a cursor on, with a stream that is opened again after each message. */
  async function readInPieces(at: typeof service) {
    const first = await openStream(at, token)
    await until(() => first.messages.length >= 1, 'the first message')
    await first.close()
    const start = first.messages[0]?.id as string
    const seen: number[] = []
    for (let since = start, isLast = false; !isLast; ) {
      isLast = !isWriting
      const stream = await openStream(at, token, { since })
      await until(() => stream.messages.length >= 2 || !isWriting, 'news')
      await until(() => stream.messages.length >= 1, 'a message')
      await stream.close()
      seen.push(...stream.events().map((event) => event.id))
      since = stream.lastId()
    }
    return { start, seen }
  }

  const readings = await Promise.all(
    Array.from({ length: 20 }, (_, index) => readInPieces(index % 2 ? service : second)),
  )
  await writing
  for (const { start, seen } of readings) {
    const whole = await openStream(service, token, { since: start })
    await until(() => whole.messages.length === 1, 'all at once')
    await whole.close()
    assert.deepEqual(
      seen,
      whole.events().map((event) => event.id),
    )
  }
})

test('when the connection that listens is lost, kept boards are forgotten and streams reset', async () => {
  const third = await startTestService({}, service.address)
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  await third.client(token).call(`${operations}/boards/get`, { id: fixture.boardId })
  const stream = await openStream(third, token)
  await until(() => stream.messages.length === 1, 'the first message')
  assert.ok(third.keptBoards.get(fixture.boardId))
  await service.db.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
  await until(() => stream.messages.some(({ event }) => event === 'reset'), 'the reset')
  assert.ok(!third.keptBoards.get(fixture.boardId))
  await createCard(fixture, 'Next')
  const last = () =>
    stream.messages.at(-1)?.events.map((event) => (event.data as { title?: string }).title) ?? []
  await until(() => last().includes('Next'), 'the event')
  assert.deepEqual(last(), ['Next'])
  await stream.close()
})

test('a reader that does not read and loses access harms no one else', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const fixture = await createBoard(service)
  const { viewer } = fixture.members
  const { hostname, port } = new URL(service.url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  const path = `/api${operations}/events/stream`
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${viewer.token}\r\n\r\n`)
  await once(socket, 'readable')
  const beside = await openStream(service, viewer.token)
  await until(() => beside.messages.length === 1, 'the first message')
  // More than the system buffers for a reader that does not read, and less than the service does.
  for (let megabytes = 1; megabytes <= 7; megabytes++) {
    await recordLarge(service.db, fixture.projectId, fixture.boardId)
    await createCard(fixture, 'Wake')
    await until(() => beside.events().length === 2 * megabytes, 'the events')
  }
  await service.db.sql`delete from sessions where user_id = ${viewer.id}`
  await createCard(fixture, 'Wake again')
  await until(beside.hasEnded, 'the end')
  t.mock.timers.tick(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
  await createCard(fixture, 'Still here')
})

/** What is delivered to listeners of `startLive`. */
async function listenerOf(userId: number, deliver: (events: object[]) => void, end = () => {}) {
  const [session] = await service.db.sql<{ id: number }[]>`select id from sessions where user_id = ${userId}`
  const others = { tell: () => {}, showPresent: () => {}, reset: () => {} }
  return {
    ...{ sessionId: session?.id as number, userId: 0, isExempt: false, streamId: undefined },
    ...{ ...others, deliver, end },
  }
}

test('the more windows a project has, the longer changes wait for the next delivery, and none is missed', async () => {
  const live = await startLive(service.db, pino({ level: 'silent' }), () => {})
  const fixture = await createBoard(service)
  const windows = 100
  /** When each window got how many events. */
  const deliveries: { at: number; events: number }[] = []
  const listener = await listenerOf(fixture.members.viewer.id, (events) => {
    if (events.length > 0) deliveries.push({ at: performance.now(), events: events.length })
  })
  const listen = () => live.listen(fixture.projectId, { ...listener }, undefined, () => service.db)
  await Promise.all(Array.from({ length: windows }, listen))
  const changeOne = async () => {
    await createCard(fixture, 'New')
    live.announce([fixture.projectId])
  }
  await changeOne()
  await until(() => deliveries.length === windows, 'the first change')
  for (let count = 0; count < 3; count++) await changeOne()
  const received = () => deliveries.reduce((sum, { events }) => sum + events, 0)
  await until(() => received() === 4 * windows, 'the other changes')
  const [last, next] = [deliveries[windows - 1], deliveries[windows]] as [{ at: number }, { at: number }]
  assert.ok(next.at - last.at > 45, `${next.at - last.at} ms`)
  await live.stop()
})

test('windows that come at once, as after a restart, share one read, and each gets what it missed', async (t) => {
  const fixture = await createBoard(service)
  const { projectId } = fixture
  const db = connect(service.address, { connections: 2 })
  let statements = 0
  const observed: typeof db = {
    ...db,
    run(text, values) {
      statements++
      return db.run(text, values)
    },
  }
  const live = await startLive(db, pino({ level: 'silent' }), () => {})
  t.after(async () => {
    await live.stop()
    await db.end()
  })
  const ends: string[] = []
  const viewer = await listenerOf(fixture.members.viewer.id, () => {})
  const stranger = await listenerOf(
    (await service.addUser()).id,
    () => {},
    () => ends.push('stranger'),
  )
  /** Joins, and returns what the window is told first. */
  const join = async (since?: string, who = viewer) => {
    const told: { titles: unknown[]; cursor: string; isReset?: true }[] = []
    const deliver = (events: object[], cursor: string) => {
      const titles = events.map((event) => (event as { data: { title: string } }).data.title)
      told.push({ titles, cursor })
    }
    const reset = (cursor: string) => told.push({ titles: [], cursor, isReset: true })
    await live.listen(projectId, { ...who, deliver, reset }, since, () => observed)
    return told
  }
  const cursor = async () => (await join())[0]?.cursor as string
  const cursors = [await cursor()]
  for (const title of ['One', 'Two', 'Three']) {
    await createCard(fixture, title)
    cursors.push(await cursor())
  }
  const [start, one, two, now] = cursors as [string, string, string, string]
  const tooOld = start.replace(/\d+$/, '0')
  await service.db.sql`update project_versions set forgotten_until = 1 where project_id = ${projectId}`
  statements = 0
  const since = [start, one, two, now, undefined, tooOld, 'nonsense']
  const joining = Array.from({ length: 140 }, (_, number) => join(since[number % since.length]))
  const [told] = await Promise.all([Promise.all(joining), join(start, stranger)])
  const first = (titles: string[], isReset?: true) => [{ titles, cursor: now, ...(isReset && { isReset }) }]
  const expected = [
    first(['One', 'Two', 'Three']),
    first(['Two', 'Three']),
    first(['Three']),
    first([]),
    first([]),
    first([], true),
    first([], true),
  ]
  assert.deepEqual(
    told,
    told.map((_, number) => expected[number % expected.length]),
  )
  assert.deepEqual(ends, ['stranger'])
  // Two of up to a hundred each.
  assert.ok(statements <= 2, `${statements} statements`)
})

test('who was away too long is told to load everything again, and keeps nobody else from what they missed', async (t) => {
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  const cursorNow = async () => {
    const stream = await openStream(service, token)
    await until(() => stream.messages.length === 1, 'the first message')
    await stream.close()
    return stream.lastId()
  }
  const old = await cursorNow()
  for (let count = 1; count <= 3; count++)
    await recordLarge(service.db, fixture.projectId, fixture.boardId, 25)
  const large = await cursorNow()
  await service.db.sql`
    select record_event(${fixture.projectId}, ${fixture.boardId}, null, null, 'card.updated', '{"changes": {}}')
    from generate_series(1, 240)`
  const recent = await cursorNow()
  await createCard(fixture, 'New')
  const streams = await Promise.all(
    [old, large, recent].map((since) => openStream(service, token, { since })),
  )
  t.after(() => Promise.all(streams.map(({ close }) => close())))
  await until(() => streams.every(({ messages }) => messages.length === 1), 'the first messages')
  assert.deepEqual(
    streams.map(({ messages: [first], events }) => [first?.event, events().length]),
    [
      ['reset', 0],
      ['changes', 241],
      ['changes', 1],
    ],
  )
})

test('a window that loses access while it joins ends once and gets nothing', async (t) => {
  const { projectId, members } = await createBoard(service)
  const { db } = service
  const live = await startLive(db, pino({ level: 'silent' }), () => {})
  t.after(() => live.stop())
  const happened: string[] = []
  const end = () => happened.push('end')
  const viewer = await listenerOf(members.viewer.id, () => happened.push('events'), end)
  const stranger = await listenerOf((await service.addUser()).id, () => happened.push('events'), end)
  /** Others read after this read, and before its answer. */
  const slow: Queries = {
    ...db,
    async run(text, values) {
      const rows = await db.run(text, values)
      await db.sql`delete from sessions where id = ${viewer.sessionId}`
      live.announce([projectId])
      await until(() => happened.length > 0, 'the end')
      return rows as never
    },
  }
  for (const listener of [stranger, viewer]) {
    happened.length = 0
    await live.listen(projectId, listener, undefined, () => slow)
    assert.deepEqual(happened, ['end'])
  }
})

test('one statement looks at all projects that are listened to', async (t) => {
  const db = connect(service.address, { connections: 2 })
  /** The projects of each statement. */
  const statements: unknown[] = []
  const ofPresence: unknown[] = []
  const observed: typeof db = {
    ...db,
    run(text, values) {
      const list = text.includes('from presences') ? ofPresence : statements
      list.push(values[0])
      return db.run(text, values)
    },
  }
  const live = await startLive(observed, pino({ level: 'silent' }), () => {})
  const aside = connect(service.address, { connections: 1 })
  t.after(async () => {
    await live.stop()
    await Promise.all([db.end(), aside.end()])
  })
  const delivered: number[] = []
  let ended = 0
  const fixtures = await Promise.all(Array.from({ length: 12 }, () => createBoard(service)))
  for (const { projectId, members } of fixtures) {
    const listener = await listenerOf(
      members.viewer.id,
      (events) => void (events.length > 0 && delivered.push(projectId)),
      () => void ended++,
    )
    await live.listen(projectId, listener, undefined, () => observed)
  }
  const projectIds = fixtures.map(({ projectId }) => projectId)
  // Readers are told who is here when they come; where nobody is, it is not read again.
  await until(() => new Set(ofPresence.flat()).size === projectIds.length, 'who is here')
  const whenCome = ofPresence.length
  statements.length = 0
  await until(() => statements.length === 2, 'two looks')
  assert.equal(ofPresence.length, whenCome)
  assert.deepEqual(statements, [projectIds, projectIds])

  // Nobody tells this instance, so it has to see both by itself.
  const [left, changed] = fixtures as [(typeof fixtures)[0], (typeof fixtures)[0]]
  await service.db.sql`delete from sessions where user_id = ${left.members.viewer.id}`
  await change(aside, changed.projectId, (queries) =>
    recordEvent(queries, {
      ...{ boardId: changed.boardId, actorId: null, kind: 'card.updated' },
      data: { changes: { title: { from: 'A', to: 'B' } } },
    }),
  )
  await until(() => ended === 1 && delivered.length === 1, 'what changed')
  assert.deepEqual(delivered, [changed.projectId])
})
