// Starts and stops of the real program; kills.test.ts kills it. The tests share one data directory, one after the other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { connect as connectSocket, createServer } from 'node:net'
import path from 'node:path'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#database/connect.ts'
import { startEmbedded } from '#database/embedded.ts'
import { claimDirectory } from '#database/owner.ts'
import { drawn, seldom } from '#tests/drawn.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { fleetSize } from '../demo/fleet.ts'
import { quietLog } from '../log.ts'
import { observedFetch } from './observed-fetch.ts'
import {
  eventually,
  networkDatabase,
  onNetwork,
  postgresOn,
  printedAccounts,
  type RunningService,
  run,
  serve,
  start,
  temporaryDirectory,
  withDatabaseOf,
  within,
} from './process.ts'

const directory = await temporaryDirectory()
const embedded = {
  CARDINAL_DATA_DIR: directory,
  CARDINAL_RATE_LIMIT: '1000000',
  CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000',
}
const email = 'owner@acme.test'
const me = '/services/identity/v1/users/me'
const serverError = '{"error":true,"message":"Server Error","data":[]}'

let service: RunningService
let token: string

test('the first start prints address, reference, limits and demo accounts, all of them true', async () => {
  service = await serve({ CARDINAL_DATA_DIR: directory })
  const { url, stdout } = service
  assert.match(stdout, new RegExp(`API +${url}/api\n`))
  assert.match(stdout, /Limits +1200 requests a minute per user, 300 per address without a token\n/)
  const reference = /Reference +(\S+)/.exec(stdout)?.[1] as string
  const ready = await fetch(`${url}/api/health/ready`)
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready' }])
  assert.equal((await fetch(reference)).status, 200)

  const printed = printedAccounts(service)
  assert.deepEqual(
    printed,
    demoAccounts.map((account) => account.email),
  )
  const password = /Demo accounts, password (\S+):/.exec(stdout)?.[1] as string
  const answers = printed.map((email) => service.client().attempt('/v1/authenticate', { email, password }))
  const secondFactor = printed.indexOf('secure@acme.test')
  assert.deepEqual(
    (await Promise.all(answers)).map((answer) => answer.status),
    printed.map((_, index) => (index === secondFactor ? 403 : 200)),
  )
})

test('a second instance on the data directory is refused, and the first one keeps running', async () => {
  const owner = await readlink(path.join(directory, 'owner'))
  token = await service.signIn(email, demoPassword)
  const second = await run(['serve'], { ...embedded, PORT: '0', CARDINAL_LOG_LEVEL: 'silent' })
  assert.deepEqual(second, {
    code: 1,
    stdout: '',
    stderr: `The data directory ${directory} is in use by process ${service.pid}.\n`,
  })
  assert.equal(await readlink(path.join(directory, 'owner')), owner)
  assert.equal((await service.client(token).call(me)).user.email, email)
  assert.equal(await service.stop(), 0)
  await assertNothingRuns()
})

test('the next start keeps the data and does not add the demo again', async () => {
  const service = await serve(embedded)
  assert.equal((await service.client(token).call(me)).user.email, email)
  const count = await withDatabaseOf(
    directory,
    ({ sql }) => sql`
      select (select count(*)::integer from users) as users, (select count(*)::integer from projects where kind = 'customer') as projects`,
  )
  assert.deepEqual([...count], [{ users: demoAccounts.length + fleetSize, projects: 5 + fleetSize }])
  assert.equal(await service.stop(), 0)
})

test('a port in use gives a clear message, and the started PostgreSQL is stopped', async (t) => {
  const port = await occupyPort(t)
  const sentence = `Port ${port} on 127.0.0.1 is in use; set PORT to another one, or stop what listens there.\n`
  const refused = await run(['serve'], { ...embedded, PORT: port })
  assert.deepEqual([refused.code, refused.stderr], [1, sentence])
  await assertNothingRuns()

  const { url } = await networkDatabase()
  const redisUrl = `redis://127.0.0.1:${await closedPort()}`
  const elsewhere = await run(['serve'], { DATABASE_URL: url, REDIS_URL: redisUrl, PORT: port })
  assert.deepEqual([elsewhere.code, elsewhere.stderr], [1, sentence])
})

seldom('an address of another machine gives a clear message', async () => {
  const { url } = await networkDatabase()
  const refused = await run(['serve'], { DATABASE_URL: url, HOST: '192.0.2.1', PORT: '0' })
  assert.equal(refused.stderr, 'Cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL); check HOST and PORT.\n')
  assert.equal(refused.code, 1)
})

test('a bad variable gives a clear message before anything is changed', async () => {
  const untouched = path.join(await temporaryDirectory(), 'data')
  const refused = await run(['serve'], { CARDINAL_DATA_DIR: untouched, PORT: 'http' })
  const sentence = 'PORT must be a whole number from 0 to 65535, but is "http".\n'
  assert.deepEqual(refused, { code: 1, stdout: '', stderr: sentence })
  await assert.rejects(readdir(untouched), { code: 'ENOENT' })
})

seldom('an unusable database gives a clear message without its password', async (t) => {
  const { url } = await networkDatabase()
  const { host } = new URL(url)
  const withPassword = new URL(url)
  withPassword.password = 'a-wrong-secret'
  const sentences = {
    [url.replace(/[^/]+$/, 'no_such_database')]:
      `(${host}/no_such_database): database "no_such_database" does not exist.`,
    [withPassword.href]: `(${host}${withPassword.pathname}): password authentication failed for user "cardinal".`,
  }
  for (const [databaseUrl, sentence] of Object.entries(sentences))
    await t.test(sentence, async () => {
      assert.deepEqual(await run(['serve'], { DATABASE_URL: databaseUrl, PORT: '0' }), {
        code: 1,
        stdout: '',
        stderr: `Cannot use the database of DATABASE_URL ${sentence}\n`,
      })
    })
})

seldom('a database newer than the code is refused and stays as it is', async () => {
  const { url, db } = await networkDatabase()
  await db.sql`insert into schema_migrations (name) values ('9999_future.sql')`
  const before = await schemaOf(db)
  assert.deepEqual(await run(['serve'], { DATABASE_URL: url, PORT: '0' }), {
    code: 1,
    stdout: '',
    stderr:
      'The database is newer than this version of Cardinal (it has 9999_future.sql); start the newer version.\n',
  })
  assert.deepEqual(await schemaOf(db), before)
})

seldom('DATABASE_URL sets the database, which gets demo data only from the demo command', async () => {
  const { url, db } = await networkDatabase({ isEmpty: true })
  const environment = { DATABASE_URL: url, CARDINAL_DATA_DIR: '/dev/null/none' }
  const keyless = await run(['serve'], environment)
  const sentence =
    'The key for secrets could not be stored in /dev/null/none/secret.key (ENOTDIR): set CARDINAL_SECRET_KEY.\n'
  assert.deepEqual([keyless.code, keyless.stderr], [1, sentence])
  const key = Buffer.alloc(32).toString('base64')
  const service = await serve({ ...environment, CARDINAL_SECRET_KEY: key })
  assert.equal((await fetch(`${service.url}/api/health/ready`)).status, 200)
  assert.doesNotMatch(service.stdout, /demo/i)
  assert.equal((await db.sql`select from users`).length, 0)
  const demo = await run(['demo'], { DATABASE_URL: url })
  assert.deepEqual([demo.code, demo.stderr], [0, ''])
  await service.signIn(email, demoPassword)
  assert.equal(await service.stop(), 0)
})

seldom(
  'two services that start at the same moment on an empty database both come up, migrated once',
  async () => {
    const { url, db } = await networkDatabase({ isEmpty: true })
    const services = await Promise.all([serve({ DATABASE_URL: url }), serve({ DATABASE_URL: url })])
    for (const service of services) assert.equal((await fetch(`${service.url}/api/health/ready`)).status, 200)
    const files = (await readdir(path.join(import.meta.dirname, '../database/migrations'))).sort()
    const applied = await db.sql<
      { name: string }[]
    >`select name from schema_migrations order by applied_at, name`
    assert.deepEqual(
      applied.map((row) => row.name),
      files,
    )
    assert.deepEqual(await Promise.all(services.map((service) => service.stop())), [0, 0])
  },
)

for (const signal of drawn(['SIGTERM', 'SIGINT'] as const))
  test(`${signal} refuses new connections, lets the running request finish, and stops PostgreSQL`, async (t) => {
    const service = await serve(embedded)
    // Browsers open connections in advance and send nothing on them.
    await openConnection(t, service)
    const { response } = await whileRequestWaits(service, async (isOver) => {
      service.child.kill(signal)
      await eventually(() => assert.rejects(openConnection(t, service), { code: 'ECONNREFUSED' }))
      // One Ctrl-C under npm arrives twice.
      service.child.kill(signal)
      assert.equal(isOver(), false)
    })
    assert.equal((await response).status, 200)
    assert.equal(await within(30_000, service.ended), 0)
    await assertNothingRuns()
  })

seldom('a repeated signal ends running requests, and PostgreSQL is still stopped', async () => {
  const service = await serve(embedded)
  const { response } = await whileRequestWaits(service, (isOver) =>
    eventually(() => {
      service.child.kill('SIGINT')
      assert.ok(isOver())
    }),
  )
  await assert.rejects(response, TypeError)
  assert.equal(await within(30_000, service.ended), 0)
  await assertNothingRuns()
})

seldom('a terminal that is closed during the start leaves nothing running', async () => {
  const starting = start(['serve'], { ...embedded, PORT: '0' })
  await eventually(async () => assert.ok(await postgresOn(directory)))
  starting.child.kill('SIGHUP')
  assert.equal(await within(30_000, starting.ended), 0)
  await assertNothingRuns()
})

test('500 while the PostgreSQL of DATABASE_URL is away, and the service reconnects when it is back', async () => {
  const claim = await claimDirectory(directory)
  let postgres = await startEmbedded({ directory, log: quietLog })
  try {
    const network = await onNetwork(postgres.address)
    const service = await serve({ ...embedded, DATABASE_URL: network.url })
    const token = await service.signIn(email, demoPassword)
    const load = startLoad(service, token)
    await load.answers(200)
    await Promise.all([network.move(undefined), postgres.stop()])
    // Enough to notice any growing delay between attempts.
    for (const _ of Array(20).keys()) await load.answers(500)
    const health = await fetch(`${service.url}/api/health/ready`)
    assert.equal(health.status, 503)
    assert.equal(health.headers.get('x-error-code'), 'database_unavailable')
    postgres = await startEmbedded({ directory, log: quietLog })
    await network.move(postgres.address)
    await load.answers(200)
    await load.stop()
    assert.deepEqual(load.bodiesOf(500), [serverError])
    assert.ok(load.slowestMilliseconds() < 5_000, `${load.slowestMilliseconds()} ms`)
    assert.equal((await service.client(token).call(me)).user.email, email)
    assert.equal(await service.stop(), 0)
  } finally {
    await postgres.stop()
    await claim.release()
  }
})

async function assertNothingRuns() {
  assert.equal(await postgresOn(directory), undefined)
  const lasting = ['postgres', 'postgres.password', 'secret.key']
  assert.deepEqual(
    (await readdir(directory)).filter((name) => !lasting.includes(name)),
    [],
  )
}

interface Cleanup {
  after(work: () => unknown): void
}

async function occupyPort(t: Cleanup): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return String((server.address() as { port: number }).port)
}

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return String(port)
}

async function openConnection(t: Cleanup, service: RunningService) {
  const { hostname, port } = new URL(service.url)
  const socket = connectSocket(Number(port), hostname)
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => {})
}

/** Runs the work while a request waits for a lock, then releases it and returns the response. */
async function whileRequestWaits(
  service: RunningService,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<{ response: Promise<Response> }> {
  const token = await service.signIn(email, demoPassword)
  return withDatabaseOf(directory, (db) =>
    db.transaction(async ({ sql }) => {
      await sql`lock table users`
      let isOver = false
      const response = post(service, me, {}, token).finally(() => {
        isOver = true
      })
      response.catch(() => {})
      await eventually(async () => assert.ok((await sql`select from pg_locks where not granted`).length > 0))
      await work(() => isOver)
      return { response }
    }),
  )
}

function post(service: RunningService, operation: string, body: object, token?: string): Promise<Response> {
  return observedFetch(`${service.url}/api${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
}

/** Clients that read and sign in repeatedly. */
function startLoad(service: RunningService, token: string) {
  const answers: { status: number; body: string; milliseconds: number }[] = []
  let isOver = false
  async function repeat(send: () => Promise<Response>) {
    while (!isOver) {
      const startedAt = performance.now()
      const response = await send()
      const body = await response.text()
      answers.push({ status: response.status, body, milliseconds: performance.now() - startedAt })
      await delay(5)
    }
  }
  const read = () => post(service, me, {}, token)
  const signIn = () => post(service, '/v1/authenticate', { email: 'owner@blue.test', password: demoPassword })
  const clients = Promise.all([repeat(read), repeat(read), repeat(read), repeat(signIn)])
  clients.catch(() => {})
  return {
    /** Waits for one more answer with this status. */
    async answers(status: number) {
      const from = answers.length
      await eventually(() => assert.ok(answers.slice(from).some((answer) => answer.status === status)))
    },
    async stop() {
      isOver = true
      await clients
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))].sort(), [200, 500])
    },
    bodiesOf: (status: number) => [
      ...new Set(answers.filter((answer) => answer.status === status).map((answer) => answer.body)),
    ],
    slowestMilliseconds: () => Math.max(...answers.map((answer) => answer.milliseconds)),
  }
}

async function schemaOf({ sql }: Database) {
  return [
    ...(await sql`select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`),
    ...(await sql`select name, applied_at from schema_migrations order by name`),
  ]
}
