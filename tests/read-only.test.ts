// The database is a standby for a while: it can be read and not written, until it is promoted.
import assert from 'node:assert/strict'
import { chown, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { connect } from '#database/connect.ts'
import { dataDirectoryIn } from '#database/embedded/cluster.ts'
import { startEmbedded } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { claimDirectory } from '#database/owner.ts'
import { quietLog } from '../log.ts'
import { createBoard } from './board.ts'
import { openStream, until } from './event-stream.ts'
import { assertJobsRun } from './load/jobs.ts'
import { eventually, onNetwork, temporaryDirectory } from './process.ts'
import { password, startTestService } from './service.ts'

const operations = '/services/operations/v1/operations'
const me = '/services/identity/v1/users/me'

/** A PostgreSQL at a fixed address that can become a standby. */
async function startPrimary(t: TestContext) {
  const directory = await temporaryDirectory()
  const claim = await claimDirectory(directory)
  t.after(() => claim.release())
  const start = () => startEmbedded({ directory, log: quietLog, settings: { fsync: 'off' } })
  let postgres = await start()
  t.after(() => postgres.stop())
  const network = await onNetwork(postgres.address)
  const address = { ...postgres.address, host: '127.0.0.1', port: Number(new URL(network.url).port) }
  const db = connect(address, { connections: 1 })
  t.after(() => db.end())
  await migrate(db)
  return {
    db,
    address,
    async becomeStandby() {
      await Promise.all([network.move(undefined), postgres.stop()])
      const signal = path.join(dataDirectoryIn(directory), 'standby.signal')
      await writeFile(signal, '')
      const { uid, gid } = await stat(dataDirectoryIn(directory))
      await chown(signal, uid, gid)
      postgres = await start()
      await network.move(postgres.address)
    },
    promote: () => eventually(() => db.sql`select pg_promote()`),
  }
}

test('a database that cannot be written: reads work, writes get the 500 body, and all works after its promotion', async (t) => {
  const database = await startPrimary(t)
  const service = await startTestService({}, database.address)
  t.after(() => service.stop())
  const fixture = await createBoard(service, { cards: 1 })
  const { member, viewer } = fixture.members
  const write = { title: 'Next', group_id: fixture.groupIds[0] as number }
  const writer = service.client(member.token, { 'idempotency-key': 'next' })
  const reader = service.client(viewer.token)
  const titles = async () => {
    const { board } = await reader.call(`${operations}/boards/get`, { id: fixture.boardId })
    return board.groups.flatMap(({ cards }) => cards.map(({ title }) => title))
  }
  const signIn = () => service.client().attempt('/v1/authenticate', { email: viewer.email, password })
  const ready = async () => {
    const { status, headers } = await service.fetch('/health/ready')
    return [status, headers.get('x-error-code')]
  }
  const stream = await openStream(service, viewer.token)
  await until(() => stream.messages.length === 1, 'the first message')
  // A call with such a session extends it.
  await database.db.sql`update sessions set last_used_at = now() - interval '2 hours'`

  await database.becomeStandby()
  assert.deepEqual(await eventually(titles), ['Card 1'])
  assert.equal((await reader.call(me)).user.id, viewer.id)
  const refused = await writer.attempt(`${operations}/cards/create`, write)
  assert.ok(!refused.ok)
  assert.deepEqual([refused.status, refused.code], [500, 'writes_unavailable'])
  assert.equal((await signIn()).status, 500)
  assert.deepEqual(await ready(), [503, 'database_read_only'])
  const during = await openStream(service, viewer.token)
  // It may be told to load everything right after its first message, because the listening connection was lost.
  await until(() => during.messages.length > 0, 'a stream of the standby')

  await database.promote()
  await eventually(() => writer.call(`${operations}/cards/create`, write))
  assert.equal((await signIn()).status, 200)
  assert.deepEqual(await ready(), [200, null])
  assert.deepEqual(await titles(), ['Card 1', 'Next'])
  const titlesIn = ({ events }: typeof stream) =>
    events().flatMap(({ data }) => (data as { title?: string }).title ?? [])
  // After the restart of PostgreSQL, streams may be told to load everything again instead.
  for (const open of [stream, during])
    await until(
      () => titlesIn(open).includes('Next') || open.messages.some(({ event }) => event === 'reset'),
      'the event or a reset',
    )
  await service.client(member.token).call(`${operations}/cards/create`, { ...write, title: 'Last' })
  for (const open of [stream, during]) {
    await until(() => titlesIn(open).includes('Last'), 'the last event')
    await open.close()
  }
  const [stale] = await database.db.sql<{ count: number }[]>`
    select count(*) from sessions where last_used_at < now() - interval '1 hour' and user_id = ${viewer.id}`
  assert.equal(stale?.count, 0)
  await assertJobsRun(database.db)
})
