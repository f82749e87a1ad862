// Two services whose DATABASE_URL names a primary and its replica, while the primary dies and the replica takes over.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createBoard } from './board.ts'
import { openStream, until } from './event-stream.ts'
import { eventually, start } from './process.ts'
import { freePort, inProcess, type Server, startServer } from './replicated-postgres.ts'
import { startTestService, type TestService } from './service.ts'

const operations = '/services/operations/v1/operations'
const promote = ({ db }: Server) => eventually(() => db.sql`select pg_promote()`)

test('a failover under load loses nothing that was acknowledged, and a lagging replica leaves nothing stale', async () => {
  const primary = await startServer({ settings: { synchronous_commit: 'remote_apply' } })
  const replica = await startServer({ replicaOf: primary })
  await primary.db.sql.unsafe(`alter system set synchronous_standby_names = 'replica'`)
  await primary.db.sql`select pg_reload_conf()`
  const url = `postgres://cardinal@127.0.0.1:${replica.port},127.0.0.1:${primary.port}/cardinal?target_session_attrs=read-write`
  const address = inProcess(url)
  assert.equal(await address.primary?.find(), undefined)
  const service = await startTestService({}, address)
  const second = await startTestService({}, address)
  const services = [service, second]
  const fixture = await createBoard(service)
  const { token } = fixture.members.member
  const [groupId] = fixture.groupIds as [number]
  const create = (at: TestService, title: string) =>
    at.client(token).attempt(`${operations}/cards/create`, { group_id: groupId, title })
  const titles = async (at: TestService) => {
    const { board } = await at.client(token).call(`${operations}/boards/get`, { id: fixture.boardId })
    return board.groups.find(({ id }) => id === groupId)?.cards.map(({ title }) => title) ?? []
  }
  const stored = async ({ db }: Server) => {
    const rows = await db.sql<{ title: string }[]>`
      select title from cards where project_id = ${fixture.projectId} and group_id = ${groupId} order by sort_order`
    return rows.map(({ title }) => title)
  }

  // Synchronous: what was acknowledged is on the replica.
  let isOver = false
  const acknowledged: string[] = []
  const write = async (client: number) => {
    for (let number = 0; !isOver; number++) {
      const title = `Sent ${client}.${number}`
      const { status } = await create(client % 2 === 0 ? service : second, title)
      if (status === 201) acknowledged.push(title)
      else await delay(20)
    }
  }
  const writing = Promise.all([0, 1, 2, 3].map(write))
  await eventually(() => assert.ok(acknowledged.length > 50))
  await primary.kill()
  const before = acknowledged.length
  await promote(replica)
  await eventually(() =>
    assert.ok(acknowledged.length > before + 20, 'nothing is written after the failover'),
  )
  isOver = true
  await writing
  const kept = new Set(await stored(replica))
  assert.deepEqual(
    acknowledged.filter((title) => !kept.has(title)),
    [],
  )

  // Asynchronous: a new replica stops receiving, and what comes after that is lost with the primary.
  const next = await startServer({ replicaOf: replica, port: primary.port })
  await next.db.sql.unsafe(`alter system set primary_conninfo = ''`)
  await next.db.sql`select pg_reload_conf()`
  await eventually(async () =>
    assert.equal((await replica.db.sql`select from pg_stat_replication`).length, 0),
  )
  const stream = await openStream(second, token)
  await until(() => stream.messages.length > 0, 'the first message')
  for (let number = 1; number <= 10; number++)
    assert.equal((await create(service, `Lost ${number}`)).status, 201)
  await until(() => stream.events().length >= 10, 'the events')
  const lostCursor = stream.lastId()
  for (const at of services) assert.ok((await titles(at)).includes('Lost 10'))
  await replica.kill()
  await promote(next)
  await eventually(async () => assert.equal((await create(service, 'New')).status, 201))
  const left = await stored(next)
  assert.ok(left.includes('New') && !left.some((title) => title.startsWith('Lost')))
  for (const at of services) assert.deepEqual(await eventually(() => titles(at)), left)
  await until(() => stream.messages.some(({ event }) => event === 'reset'), 'the reset')
  await stream.close()
  // Enough that the versions behind the old cursor are given again.
  for (let number = 1; number <= 12; number++)
    assert.equal((await create(second, `Newer ${number}`)).status, 201)
  const resumed = await openStream(service, token, { since: lostCursor })
  await until(() => resumed.messages.length > 0, 'an answer to the old cursor')
  assert.deepEqual([resumed.messages[0]?.event, resumed.events()], ['reset', []])
  await resumed.close()
})

test('a start on a replica waits for its promotion, and says so', async () => {
  const primary = await startServer({})
  const replica = await startServer({ replicaOf: primary })
  const place = `127.0.0.1:${replica.port}`
  const nowhere = `127.0.0.1:${await freePort()}`
  const starting = {
    [`${replica.url}?target_session_attrs=read-write`]: `Waiting for the database of DATABASE_URL (${place}/cardinal): it is read-only, such as a replica`,
    [`postgres://cardinal@${nowhere},${place}/cardinal`]: `ECONNREFUSED ${nowhere}; ${place} is read-only`,
  }
  const programs = Object.entries(starting).map(([DATABASE_URL, sentence]) => ({
    program: start(['serve'], { DATABASE_URL, PORT: '0' }),
    sentence,
  }))
  for (const { program, sentence } of programs)
    await eventually(() => assert.ok((program.stdout + program.stderr).includes(sentence)), 30_000)
  await primary.kill()
  await promote(replica)
  for (const { program } of programs) {
    await eventually(() => assert.match(program.stdout, /Cardinal is ready/), 30_000)
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
  }
})
