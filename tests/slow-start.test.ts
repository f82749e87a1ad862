// Starts on a slow machine or with a slow database.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually, networkDatabase, type RunningService, run, serve, start, within } from './process.ts'

/** Longer than a request of the running service would wait for a connection. */
const slowMilliseconds = 2_500

/** The message of a start or a command while it waits. */
function waitingFor(url: string): string {
  const { host, pathname } = new URL(url)
  return `Waiting for the database of DATABASE_URL (${host}${pathname}): no answer.`
}

const isReady = (service: RunningService) =>
  eventually(async () => assert.equal((await fetch(`${service.url}/api/health/ready`)).status, 200))

// Each has a database of its own, and they mostly wait.
suite('slow starts', { concurrency: true }, () => {
  test('a start and a command succeed if connecting takes longer than a request would wait', async () => {
    const { url, slowDown } = await networkDatabase({ isEmpty: true })
    slowDown(() => slowMilliseconds)
    assert.deepEqual(await run(['migrate'], { DATABASE_URL: url }), {
      code: 0,
      stdout: 'The database has the current schema.\n',
      stderr: `${waitingFor(url)}\n`,
    })
    const service = await serve({ DATABASE_URL: url })
    slowDown(() => 0)
    await isReady(service)
    assert.equal(await service.stop(), 0)
  })

  test('connections that fail during the start are opened later, including the listening one', async () => {
    const { url, db, slowDown } = await networkDatabase()
    // The first connection, which prepares the start, is answered.
    slowDown((connection) => (connection === 1 ? 0 : 60_000))
    const service = await serve({ DATABASE_URL: url })
    slowDown(() => 0)
    await isReady(service)
    await eventually(async () => {
      const listening = await db.sql`
      select from pg_stat_activity where datname = current_database() and query like 'listen "cardinal%"'`
      assert.equal(listening.length, 1)
    })
    assert.equal(service.stderr, '')
    assert.equal(await service.stop(), 0)
  })

  test('a start that waits for its database says so, and ends on Ctrl-C', async () => {
    const { url, slowDown } = await networkDatabase()
    slowDown(() => 60_000)
    const starting = start(['serve'], { DATABASE_URL: url, PORT: '0' })
    await eventually(() => assert.ok(starting.stdout.includes(`"msg":"${waitingFor(url)}"`), starting.stdout))
    starting.child.kill('SIGINT')
    assert.equal(await within(20_000, starting.ended), 0)
    assert.equal(starting.stderr, '')
  })

  test('a connection lost during a command gives a clear message', async () => {
    const { url, db, move } = await networkDatabase()
    await db.transaction(async (queries) => {
      await queries.sql`lock table schema_migrations in access exclusive mode`
      const command = start(['migrate'], { DATABASE_URL: url })
      // Other than pg_stat_activity, this is read anew by each statement of a transaction.
      const waiting = () => queries.sql`
        select from pg_locks join pg_database d on d.oid = database where not granted and datname = current_database()`
      await eventually(async () => assert.equal((await waiting()).length, 1))
      await move(undefined)
      assert.equal(await within(10_000, command.ended), 1)
      assert.deepEqual(
        [command.stdout, command.stderr],
        ['', 'The connection to the database was lost. Run the command again when the database is back.\n'],
      )
    })
  })
})
