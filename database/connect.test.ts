import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createTestDatabase } from '#tests/postgres.ts'
import { eventually, onNetwork, within } from '#tests/process.ts'
import { connect, type Queries } from './connect.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a transaction whose connection is lost fails, and the next ones work', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const network = await onNetwork(database.address)
  const db = connect(network.url, { connections: 2 })
  after(() => db.end())
  for (let round = 0; round < 3; round++) {
    const begun = Promise.withResolvers<void>()
    const running = db.transaction(async ({ sql }) => {
      await sql`select 1`
      begun.resolve()
      await sql`select pg_sleep(20)`
    })
    running.catch(() => {})
    await begun.promise
    await network.move(undefined)
    await assert.rejects(running, { code: 'CONNECTION_CLOSED' })
    await network.move(database.address)
    const [row] = await db.transaction(({ sql }) => sql<{ one: number }[]>`select 1 as one`)
    assert.equal(row?.one, 1)
  }
})

test('a network that cannot be reached fails a statement, not the process', async (t) => {
  // The system refuses a connection to this address at once, as while it has no route.
  const nowhere = [
    'postgres://nobody@255.255.255.255:1/none',
    'postgres://nobody@255.255.255.255:1,255.255.255.255:2/none',
  ]
  for (const address of nowhere)
    for (const longestSilenceSeconds of [undefined, 60]) {
      const db = connect(address, { connections: 1, ...(longestSilenceSeconds && { longestSilenceSeconds }) })
      t.after(() => db.end())
      await assert.rejects(db.sql`select 1`, { syscall: 'connect' })
    }
})

test('connections for reads refuse changes', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const db = connect(database.address, { connections: 1, isReadOnly: true })
  after(() => db.end())
  assert.equal((await db.sql`select 1`).length, 1)
  await assert.rejects(db.sql`delete from sessions`, { code: '25006' })
  await assert.rejects(
    db.transaction(({ sql }) => sql`delete from sessions`),
    { code: '25006' },
  )
})

test('after PostgreSQL ends connections, the next statements and transactions work', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const admin = connect(database.address, { connections: 1 })
  after(() => admin.end())
  const db = connect(database.address, { connections: 3 })
  after(() => db.end())
  const sleeping = async () =>
    await admin.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`
  const endThree = async () => {
    const running = Array.from({ length: 3 }, () => assert.rejects(db.sql`select pg_sleep(20)`))
    await eventually(async () => assert.equal((await sleeping()).length, 3))
    for (const { pid } of await sleeping()) await admin.sql`select pg_terminate_backend(${pid}::int)`
    await Promise.all(running)
  }
  await admin.sql`create table written (number integer)`

  await endThree()
  const inserted = Array.from(
    { length: 9 },
    (_, number) => db.sql`insert into written values (${number}::int)`,
  )
  await Promise.all(inserted)
  await endThree()
  const begun = Array.from({ length: 9 }, (_, number) =>
    db.transaction(({ sql }) => sql`insert into written values (${9 + number}::int)`),
  )
  await Promise.all(begun)
  await endThree()
  const turns = db.inTurn((work) => work())
  assert.equal((await turns.sql`select from written`).length, 18)
  assert.deepEqual([...(await sleeping())], [], 'what was cut runs again')
})

test('after a statement that fails behind its first rows, the next one has all of its rows and only those', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const few = connect(database.address, { connections: 1 })
  after(() => few.end())
  const halfway = 'select 1 / (3 - n) as n from generate_series(1, 3) n'
  const numbers = 'select n from generate_series(1, 2) n'
  const read = async (queries: Queries) => {
    const rows = await queries.run<{ n: number }>(numbers, [])
    return Array.from(rows, (row) => row?.n)
  }
  await assert.rejects(few.run(halfway, []), /division by zero/)
  assert.deepEqual(await read(few), [1, 2])
  await few.transaction(async (queries) => {
    await assert.rejects(
      queries.savepoint((inner) => inner.run(halfway, [])),
      /division by zero/,
    )
    assert.deepEqual(await read(queries), [1, 2])
  })
})

test('a connection does not keep the result of a transaction in memory', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const db = connect(database.address, { connections: 1 })
  after(() => db.end())
  const collected = Promise.withResolvers<void>()
  const registry = new FinalizationRegistry(() => collected.resolve())
  const read = async () => registry.register(await db.transaction(async () => ({ large: 'board' })), 'board')
  await read()
  const collecting = setInterval(collectGarbage, 20)
  await within(5000, collected.promise).finally(() => clearInterval(collecting))
})

test('a statement that is sent when a connection is reset is answered, and so are the next ones', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const network = await onNetwork(database.address)
  const db = connect(network.url, { connections: 1 })
  after(() => db.end())
  const read = async () => (await db.sql<{ one: number }[]>`select 1 as one`)[0]?.one
  assert.equal(await read(), 1)
  const answer = db.sql`select pg_sleep(20)`.catch(read)
  await delay(100)
  network.reset()
  assert.equal(await within(5_000, answer), 1)
  for (let count = 0; count < 3; count++) assert.equal(await within(1_000, read()), 1)
})

test('what a transaction does after its connection is lost is not done on another one', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const network = await onNetwork(database.address)
  const db = connect(network.url, { connections: 1 })
  after(() => db.end())
  await db.sql`create table written (number integer)`
  for (const rest of ['a statement', 'only its commit', 'a savepoint']) {
    const cut = Promise.withResolvers<void>()
    const running = db.transaction(async ({ sql, savepoint }) => {
      await sql`insert into written values (1)`
      await cut.promise
      if (rest === 'a statement') await sql`insert into written values (2)`
      if (rest === 'a savepoint') await savepoint((inner) => inner.sql`insert into written values (3)`)
    })
    running.catch(() => {})
    await delay(50)
    await network.move(undefined)
    await assert.rejects(running, { code: 'CONNECTION_CLOSED' })
    await network.move(database.address)
    await eventually(() => db.sql`select 1`)
    cut.resolve()
    await delay(50)
    assert.equal((await db.sql`select from written`).length, 0, rest)
  }
})

test('effects run after the commit, each of them, and only those of work that was committed', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const ran: string[] = []
  const news: number[] = []
  const failures: unknown[] = []
  const db = connect(database.address, {
    connections: 1,
    onNews: (ids) => void news.push(...ids),
    onEffectFailure: (error) => void failures.push(error),
  })
  after(() => db.end())
  const noted = (queries: Queries, name: string, projectId: number) => {
    queries.afterCommit(() => void ran.push(name))
    queries.announce(projectId)
  }
  await db.sql`create table written (number integer unique deferrable initially deferred)`

  const refusedAtCommit = db.transaction(async (queries) => {
    await queries.sql`insert into written values (1), (1)`
    noted(queries, 'refused', 1)
  })
  await assert.rejects(refusedAtCommit, /duplicate key/)
  assert.deepEqual([ran, news], [[], []])

  const broken = new Error('broken effect')
  const fails = () => {
    throw broken
  }
  const result = await db.transaction(async (queries) => {
    queries.afterCommit(fails)
    noted(queries, 'outer', 2)
    await queries.savepoint(async (inner) => noted(inner, 'released', 3))
    const rolledBack = queries.savepoint(async (inner) => {
      noted(inner, 'rolled back', 4)
      await inner.sql`select 1 / 0`
    })
    await assert.rejects(rolledBack, /division by zero/)
    assert.deepEqual([ran, news], [[], []])
    return 'stored'
  })
  assert.equal(result, 'stored')
  assert.deepEqual(
    [ran, news],
    [
      ['outer', 'released'],
      [2, 3],
    ],
  )
  db.afterCommit(fails)
  assert.deepEqual(failures, [broken, broken])
})
