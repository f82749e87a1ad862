import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { after } from 'node:test'
import { codeOf, connect, lockNotAvailable } from '#database/connect.ts'
import { addProject } from '#projects/creating.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { assertEventsTrue, faultOf } from '#tests/events.ts'
import { waitingForLocks } from '#tests/lock-waits.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { change, changeAtOnce, changeMany, changesOfMany } from './change.ts'
import { recordEvent, recordEvents } from './record.ts'

const database = await createTestDatabase()
/** The announcements, with how many of the project's events another connection saw at that moment. */
const announced: { projectId: number; seen: Promise<number> }[] = []
const db = connect(database.address, {
  onNews: (projectIds) =>
    announced.push(...projectIds.map((projectId) => ({ projectId, seen: countOf(projectId) }))),
})
const other = connect(database.address, { connections: 1 })
after(async () => {
  await Promise.all([db.end(), other.end()])
  await database.drop()
})

const eventsOf = (projectId: number) =>
  other.sql<
    { id: number; kind: string }[]
  >`select id, kind from events where project_id = ${projectId} order by id`
const countOf = async (projectId: number) => (await eventsOf(projectId)).length
const takeAnnounced = async () =>
  Promise.all(announced.splice(0).map(async ({ projectId, seen }) => [projectId, await seen]))
const happening = {
  boardId: null,
  actorId: null,
  kind: 'theme.created',
  data: { theme_id: 1, name: 'x' },
} as const

test('an event is announced after its commit, once per transaction, and not before', async () => {
  const projectId = await addProject(db, 'Project', [])
  await change(db, projectId, async (queries) => {
    await recordEvent(queries, happening)
    await recordEvent(queries, happening)
    assert.deepEqual(announced, [])
  })
  assert.deepEqual(await takeAnnounced(), [[projectId, 2]])
  assert.deepEqual(
    (await eventsOf(projectId)).map(({ id }) => id),
    [1, 2],
  )
})

test('an event that is rolled back is not announced, and its version is reused', async () => {
  const projectId = await addProject(db, 'Project', [])
  const failing = change(db, projectId, async (queries) => {
    await recordEvent(queries, happening)
    throw new Error('undone')
  })
  await assert.rejects(failing, /undone/)
  assert.deepEqual(await takeAnnounced(), [])
  await change(db, projectId, (queries) => recordEvent(queries, happening))
  assert.deepEqual(await takeAnnounced(), [[projectId, 1]])
  assert.deepEqual((await eventsOf(projectId))[0]?.id, 1)
})

test('a statement that records events is announced like a transaction, also inside one', async () => {
  const projectId = await addProject(db, 'Project', [])
  const [user] = await db.sql<{ id: number }[]>`
    insert into users (email, name, password_hash) values ('one@example.test', 'One', '') returning id`
  const [board] = await db.sql<{ id: number }[]>`
    insert into boards (project_id, title) values (${projectId}, 'Board') returning id`
  await db.sql`insert into groups (project_id, board_id, title) values (${projectId}, ${board?.id as number}, 'Group')`
  const statement = `select create_card($1, null, $2, 'Card', null, null, null, null, null, false, null, $3::text::jsonb)`
  const values = [projectId, user?.id as number, JSON.stringify(usualQuotas)]
  await changeAtOnce(db, projectId, statement, values)
  assert.deepEqual(await takeAnnounced(), [[projectId, 1]])
  await db.transaction(async (queries) => {
    await changeAtOnce(queries, projectId, statement, values)
    assert.deepEqual(announced, [])
  })
  assert.deepEqual(await takeAnnounced(), [[projectId, 2]])
})

test('events in many projects are announced to each of them, with versions of their own', async () => {
  const ids = [await addProject(db, 'One', []), await addProject(db, 'Two', [])] as const
  await change(db, ids[1], (queries) => recordEvent(queries, happening))
  await takeAnnounced()
  await db.transaction(async (queries) => {
    const changes = await changesOfMany(queries, ids)
    await recordEvents(
      changes,
      [ids[0], ids[1], ids[1]].map((projectId) => ({ ...happening, projectId })),
    )
    await recordEvents(changes, [{ ...happening, projectId: ids[0] }])
  })
  assert.deepEqual(await takeAnnounced(), [
    [ids[0], 2],
    [ids[1], 3],
  ])
  for (const [projectId, count] of [
    [ids[0], 2],
    [ids[1], 3],
  ] as const)
    assert.deepEqual(
      (await eventsOf(projectId)).map(({ id }) => id),
      Array.from({ length: count }, (_, index) => index + 1),
    )
})

test('writers of one project wait for each other, and so do writers of several projects in any order', async () => {
  const ids = [await addProject(db, 'One', []), await addProject(db, 'Two', [])] as const
  let running = 0
  const alone = async () => {
    assert.equal(++running, 1)
    // Longer than a caller that holds the other project waits for this one.
    await new Promise((resolve) => setTimeout(resolve, 60))
    running--
  }
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const inOrder = index % 4 < 2 ? ids : ids.toReversed()
      if (index % 3 === 0) return change(db, ids[0], alone)
      if (index % 3 === 1) return changeMany(db, inOrder, alone)
      return db.transaction(async (queries) => {
        await changesOfMany(queries, inOrder)
        await alone()
      })
    }),
  )
})

const waysToChangeMany = {
  changeMany,
  changesOfMany: (_db, ids, work) =>
    db.transaction(async (queries) => work(await changesOfMany(queries, ids))),
} satisfies Record<string, typeof changeMany>

for (const [name, changeSeveral] of Object.entries(waysToChangeMany))
  test(`${name}: while writers of several projects wait for one of them, the others can be changed`, async () => {
    const free = await addProject(db, 'Free', [])
    const busy = await addProject(db, 'Busy', [])
    for (const projectId of [free, busy]) await change(db, projectId, async () => {})
    const isChanged = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = change(db, busy, async () => {
      isHeld.resolve()
      await isChanged.promise
    })
    await isHeld.promise
    const writing = changeSeveral(db, [free, busy], async (changes) => {
      await recordEvents(
        changes,
        [free, busy].map((projectId) => ({ ...happening, projectId })),
      )
      return [...changes.versions].sort(([one], [other]) => one - other)
    })
    try {
      await waitingForLocks(other, 1)
      await change(db, free, (queries) => recordEvent(queries, happening))
    } finally {
      isChanged.resolve()
      await holding
    }
    assert.deepEqual(await writing, [
      [free, 2],
      [busy, 1],
    ])
    assert.deepEqual([await countOf(free), await countOf(busy)], [2, 1])
  })

test('writers of several projects are refused a project that is busy for too long, after which nothing is held', async () => {
  const ids = [await addProject(db, 'One', []), await addProject(db, 'Two', [])] as const
  const isRefused = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = change(db, ids[1], async () => {
    isHeld.resolve()
    await isRefused.promise
  })
  await isHeld.promise
  const writing = db.transaction(async (queries) => {
    await queries.sql`set local lock_timeout = '200ms'`
    await changesOfMany(queries, ids)
  })
  await assert.rejects(writing, (error) => codeOf(error) === lockNotAvailable)
  isRefused.resolve()
  await holding
  await db.transaction(async (queries) => {
    await queries.sql`set local lock_timeout = '4s'`
    await changesOfMany(queries, ids)
    const [setting] = await queries.sql<{ lock_timeout: string }[]>`show lock_timeout`
    assert.equal(setting?.lock_timeout, '4s')
  })
})

test('only events/ writes events and calls the statements that record them', async () => {
  const root = path.join(import.meta.dirname, '..')
  const recording = await db.sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'record_event|into events'`
  const names = recording.map(({ name }) => name).sort()
  assert.deepEqual(names, [
    'change_card',
    'create_card',
    'create_comment',
    'move_card',
    'record_event',
    'record_events',
  ])
  const wrong: string[] = []
  const rooms = new Set<string>()
  const exclude = ['node_modules', '{bench,database,events,tests,tools,web}/**', '**/*.test.ts']
  for await (const file of glob('**/*.ts', { cwd: root, exclude })) {
    const source = await readFile(path.join(root, file), 'utf8')
    rooms.add(file.split('/')[0] as string)
    const isCalled = names.some((name) => new RegExp(`\\b${name}\\(`).test(source))
    if (/\binto events\b/i.test(source) || (isCalled && !source.includes('await changeAtOnce<')))
      wrong.push(file)
    if (isCalled && /\bdb\.run</.test(source)) wrong.push(file)
  }
  assert.deepEqual(wrong, [])
  for (const room of ['boards', 'rollouts', 'fleet']) assert.ok(rooms.has(room), room)
})

test('an event whose payload differs from its kind is detected', async () => {
  assert.equal(faultOf('theme.created', happening.data), undefined)
  assert.match(faultOf('theme.created', { theme_id: 1 }) as string, /must have required property 'name'/)
  assert.match(faultOf('theme.created', { ...happening.data, more: 1 }) as string, /additional properties/)
  assert.match(faultOf('theme.painted', {}) as string, /not in the catalogue/)
  await assertEventsTrue(db)
  await assert.rejects(
    db.transaction(async (queries) => {
      await queries.sql`update events set data = '{"theme_id": "1", "name": "x"}'`
      await assertEventsTrue(queries)
    }),
    /theme_id must be integer/,
  )
})
