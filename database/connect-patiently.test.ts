import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { createTestDatabase } from '#tests/postgres.ts'
import { networkDatabase, onNetwork } from '#tests/process.ts'
import { StartFailure } from '../start-failure.ts'
import { connectPatiently } from './connect-patiently.ts'

const advice = 'Check that PostgreSQL is running and can be reached from here.'

/** A port on which something other than PostgreSQL answers, until the test closes it. */
async function listenAs(t: TestContext, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  t.after(close)
  const { port } = server.address() as { port: number }
  return { close, place: `127.0.0.1:${port}/boards`, url: `postgres://u:a-secret@127.0.0.1:${port}/boards` }
}

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => assert.fail('it connected'),
    (error: unknown) => error,
  )

/** An error as PostgreSQL sends it: severity, code and message. */
const errorMessage = (code: string, message: string) => {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const unreachable: Record<string, { answer(socket: Socket): void; reason: string }> = {
  'takes connections and says nothing': { answer() {}, reason: 'no answer' },
  'takes connections and closes them': { answer: (socket) => socket.end(), reason: 'no answer' },
  'is still starting': {
    answer: (socket) =>
      socket.once('data', () => socket.end(errorMessage('57P03', 'the database system is starting up'))),
    reason: 'the database system is starting up',
  },
}

for (const [what, { answer, reason }] of Object.entries(unreachable))
  test(`a database that ${what} is waited for, and then given up in a sentence without its password`, async (t) => {
    const { place, url } = await listenAs(t, answer)
    const sentences: string[] = []
    const failure = await rejection(
      connectPatiently(url, { seconds: 3, onWait: (sentence) => sentences.push(sentence) }),
    )
    assert.deepEqual(
      failure,
      new StartFailure(
        `The database of DATABASE_URL (${place}) did not answer within 3 seconds: ${reason}. ${advice}`,
      ),
    )
    assert.deepEqual(sentences, [`Waiting for the database of DATABASE_URL (${place}): ${reason}.`])
  })

test('a port on which nothing listens is tried again until something does', async (t) => {
  const { close, place, url } = await listenAs(t, () => {})
  close()
  const failure = await rejection(connectPatiently(url, { seconds: 0.5 }))
  const reason = `connect ECONNREFUSED ${place.split('/')[0]}`
  assert.deepEqual(
    failure,
    new StartFailure(
      `The database of DATABASE_URL (${place}) did not answer within 0.5 seconds: ${reason}. ${advice}`,
    ),
  )

  const database = await createTestDatabase()
  t.after(() => database.drop())
  const network = await onNetwork(database.address)
  await network.move(undefined)
  const db = await connectPatiently(network.url, { onWait: () => void network.move(database.address) })
  const [row] = await db.sql<{ name: string }[]>`select current_database() as name`
  await db.end()
  assert.equal(row?.name, database.address.database)
})

test('an error that waiting cannot fix is reported at once', async () => {
  const { url } = await networkDatabase()
  const missing = url.replace(/[^/]+$/, 'no_such_database')
  const sentences: string[] = []
  const failure = await rejection(
    connectPatiently(missing, { onWait: (sentence) => sentences.push(sentence) }),
  )
  assert.deepEqual(
    failure,
    new StartFailure(
      `Cannot use the database of DATABASE_URL (${new URL(url).host}/no_such_database): database "no_such_database" does not exist.`,
    ),
  )
  assert.deepEqual(sentences, [])
})

test('waiting ends when it is aborted', async (t) => {
  const { url } = await listenAs(t, () => {})
  const stop = new AbortController()
  const failure = await rejection(
    connectPatiently(url, { signal: stop.signal, onWait: () => stop.abort('SIGINT') }),
  )
  assert.equal(failure, 'SIGINT')
})
