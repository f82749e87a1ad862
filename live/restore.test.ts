// The database goes back to an older state under a running service, as after a restore or the promotion of a lagging replica.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#database/connect.ts'
import { dataDirectoryIn } from '#database/embedded/cluster.ts'
import { startEmbedded } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { claimDirectory } from '#database/owner.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { eventually, onNetwork, temporaryDirectory } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'
import { quietLog } from '../log.ts'

const operations = '/services/operations/v1/operations'

/** A PostgreSQL at a fixed address whose data can be saved and put back while services run. */
async function startRestorable() {
  const directory = await temporaryDirectory()
  const claim = await claimDirectory(directory)
  const start = () => startEmbedded({ directory, log: quietLog, settings: { fsync: 'off' } })
  const data = dataDirectoryIn(directory)
  const copy = path.join(directory, 'older')
  let postgres = await start()
  const db = connect(postgres.address, { connections: 1 })
  await migrate(db).finally(() => db.end())
  const network = await onNetwork(postgres.address)
  const whileStopped = async (work: () => Promise<unknown>) => {
    await Promise.all([network.move(undefined), postgres.stop()])
    await work()
    postgres = await start()
    await network.move(postgres.address)
  }
  return {
    address: { ...postgres.address, host: '127.0.0.1', port: Number(new URL(network.url).port) },
    keepCopy: () => whileStopped(() => promisify(execFile)('cp', ['-a', data, copy])),
    restoreCopy: () =>
      whileStopped(async () => {
        await rename(data, path.join(directory, 'newer'))
        await rename(copy, data)
      }),
    async stop() {
      await postgres.stop()
      await claim.release()
    },
  }
}

test('after an older copy is restored, no board, event or cursor of the lost state remains', async (t) => {
  const database = await startRestorable()
  t.after(database.stop)
  const services = [
    await startTestService({}, database.address),
    await startTestService({}, database.address),
  ]
  const [service, second] = services as [(typeof services)[0], (typeof services)[0]]
  t.after(() => Promise.all(services.map(({ stop }) => stop())))
  const fixture = await createBoard(service, { cards: 2 })
  const { token } = fixture.members.viewer
  const titles = async (at: typeof service) => {
    const { board } = await at.client(token).call(`${operations}/boards/get`, { id: fixture.boardId })
    return board.groups.flatMap(({ cards }) => cards.map(({ title }) => title))
  }
  const create = (title: string) =>
    fixture.member.call(`${operations}/cards/create`, { title, group_id: fixture.groupIds[0] as number })
  const [old1, old2] = ['Card 1', 'Card 2']

  await database.keepCopy()
  await eventually(() => Promise.all(services.map(titles)))
  const stream = await openStream(second, token)
  await until(() => stream.messages.length === 1, 'the first message')
  for (let number = 1; number <= 40; number++) await create(`Lost ${number}`)
  await until(() => stream.events().length === 40, 'the events')
  const lostCursor = stream.lastId()
  for (const at of services) assert.equal((await titles(at)).length, 42)

  await database.restoreCopy()
  const resets = () => stream.messages.filter(({ event }) => event === 'reset').length
  assert.equal(resets(), 0)
  for (const at of services) assert.deepEqual(await eventually(() => titles(at)), [old1, old2])
  await until(() => resets() > 0, 'the reset')
  const known = stream.messages.length
  const made: string[] = []
  for (let number = 1; number <= 45; number++) {
    made.push(`New ${number}`)
    await create(`New ${number}`)
    for (const at of services) assert.deepEqual(await titles(at), [old1, old2, ...made])
  }
  const received = () => stream.messages.slice(known).flatMap(({ events }) => events)
  await until(() => received().length >= made.length, 'every event')
  assert.deepEqual(
    received().map(({ data }) => (data as { title: string }).title),
    made,
  )
  await stream.close()
  const resumed = await openStream(service, token, { since: lostCursor })
  await until(() => resumed.messages.length > 0, 'an answer to the old cursor')
  assert.deepEqual([resumed.messages[0]?.event, resumed.events()], ['reset', []])
  await resumed.close()
})

test('without a lost connection, another epoch alone makes kept boards and cursors void', async (t) => {
  const service = await startTestService()
  t.after(service.stop)
  const { sql } = service.db
  const fixture = await createBoard(service, { cards: 1 })
  const { token } = fixture.members.viewer
  const viewer = service.client(token)
  const titles = async () => {
    const { board } = await viewer.call(`${operations}/boards/get`, { id: fixture.boardId })
    return board.groups.flatMap(({ cards }) => cards.map(({ title }) => title))
  }
  const stream = await openStream(service, token)
  await until(() => stream.messages.length === 1, 'the first message')
  const cursor = stream.lastId()
  await stream.close()
  assert.deepEqual(await titles(), ['Card 1'])
  /** A change without an event, as if the board had been kept before a restore, and the same versions were given again. */
  const restoreTo = (title: string) => sql`
    update cards set title = ${title} where project_id = ${fixture.projectId} and id = ${fixture.cardIds[0] as number}`
  /** Writes the table anew, in another file. */
  const beginEpoch = () => sql`vacuum full project_versions`

  await restoreTo('Restored')
  assert.deepEqual(await titles(), ['Card 1'])
  await beginEpoch()
  assert.deepEqual(await titles(), ['Restored'])

  await restoreTo('Restored again')
  await beginEpoch()
  const group_id = fixture.groupIds[0] as number
  await fixture.member.call(`${operations}/cards/create`, { title: 'New', group_id })
  assert.deepEqual(await titles(), ['Restored again', 'New'])

  const resumed = await openStream(service, token, { since: cursor })
  await until(() => resumed.messages.length > 0, 'an answer to the old cursor')
  assert.deepEqual([resumed.messages[0]?.event, resumed.events()], ['reset', []])
  await resumed.close()
})
