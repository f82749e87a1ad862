import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { createTestDatabase } from '#tests/postgres.ts'
import { eventually, within } from '#tests/process.ts'
import { startRelay } from '#tests/relay.ts'
import { startTestService } from '#tests/service.ts'
import { connect, type Queries } from './connect.ts'

const operations = '/services/operations/v1/operations'

test('what PostgreSQL never answers fails, other connections stay open, and all goes on once it answers again', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const relay = await startRelay(database.address)
  after(relay.stop)
  const options = { connections: 3, longestSilenceSeconds: 2 }
  const db = connect(relay.address, options)
  const beside = connect(database.address, options)
  after(() => Promise.all([db.end(), beside.end()]))
  const pidOf = async ({ sql }: Queries) =>
    (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
  await db.sql`create table written (number integer)`
  const idle = await pidOf(beside)

  const paused = Promise.withResolvers<void>()
  const failed = { code: 'CONNECTION_CLOSED' }
  const begun = db.transaction(async ({ sql }) => {
    await sql`insert into written values (1)`
    await paused.promise
    await sql`insert into written values (2)`
  })
  await Promise.all([db.sql`select pg_sleep(0.2)`, db.sql`select pg_sleep(0.2)`])
  relay.pause()
  paused.resolve()
  const unanswered = [
    begun,
    db.sql`insert into written values (3)`,
    db.transaction(({ sql }) => sql`insert into written values (4)`),
  ]
  await within(20_000, Promise.all(unanswered.map((work) => assert.rejects(work, failed))))
  // Those after them do not wait for the same connections.
  await within(5_000, assert.rejects(db.sql`select 1`, { code: 'CONNECT_TIMEOUT' }))
  assert.equal(await pidOf(beside), idle)

  relay.resume()
  await eventually(() => db.sql`select 1`)
  const written = await beside.sql<{ number: number }[]>`select number from written`
  assert.ok(
    written.every(({ number }) => number === 3),
    'a part of a transaction is left',
  )
})

test('not ready while the database hangs, and everything goes on when it answers again', async () => {
  const direct = await startTestService()
  const relay = await startRelay(direct.address)
  after(relay.stop)
  const service = await startTestService({}, relay.address)
  const projectId = await direct.addProject()
  const { token } = await direct.addUser({ roles: { [projectId]: 'viewer' } })
  const list = () =>
    service.fetch(`${operations}/boards/list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
  const ready = async () => {
    const { status, headers } = await service.fetch('/health/ready')
    return [status, headers.get('x-error-code')]
  }
  assert.equal((await list()).status, 200)
  // Opens all connections that identify callers, because a new one fails sooner.
  await Promise.all([ready(), ready(), ready()])
  relay.pause()
  const listing = list()
  assert.deepEqual(await within(20_000, ready()), [503, 'database_unavailable'])
  relay.resume()
  await eventually(async () => assert.equal((await list()).status, 200))
  assert.deepEqual(await ready(), [200, null])
  await listing
})
