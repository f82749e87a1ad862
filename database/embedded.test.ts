import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chown,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after, before, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { StartFailure } from '../start-failure.ts'
import { addressOfRunning, type DatabaseAddress, type EmbeddedPostgres, startEmbedded } from './embedded.ts'
import { identifyProcess } from './process-identity.ts'

const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off' }
const ignore = () => undefined
const log = { debug: () => undefined, info: ignore, warn: ignore, error: ignore }
let temporary: string
let directory: string

before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'cardinal-embedded-test-'))
  directory = join(temporary, 'data')
  await mkdir(directory)
  const embedded = await startEmbedded({ directory, log, settings })
  await using(embedded.address, (sql) => sql`create table remembered (answer uuid)`)
  await embedded.stop()
})
after(() => rm(temporary, { recursive: true }))

test('a fresh directory that only its owner can enter, at a long path, gets a private database', async (t) => {
  const directory = join(temporary, 'a long path with spaces '.repeat(8), "and a ' quote")
  await mkdir(directory, { recursive: true })
  const embedded = await start(t, directory, {})
  assert.deepEqual(await addressOfRunning(directory), embedded.address)
  assert.equal(await modeOf(embedded.address.host), '700')
  assert.equal(await modeOf(join(directory, 'postgres.password')), '600')
  assert.equal(await modeOf(join(directory, 'postgres.address')), '600')
  assert.equal(Buffer.from(embedded.address.password, 'base64url').length, 32)
  await using(embedded.address, async (sql) => {
    const expected = {
      data_directory: isRoot ? '/proc/self/cwd' : join(directory, 'postgres'),
      data_checksums: 'on',
      fsync: 'on',
      listen_addresses: '',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    }
    for (const [name, value] of Object.entries(expected)) {
      const [row] = await sql<{ actual: string }[]>`select current_setting(${name}) as actual`
      assert.equal(row?.actual, value, name)
    }
    const [row] = await sql`select lower('ÄÖ') as lowered, 'Z' < 'a' as sorted_by_code_point`
    assert.deepEqual({ ...row }, { lowered: 'äö', sorted_by_code_point: true })
  })
  await assert.rejects(
    using({ ...embedded.address, password: 'wrong' }, (sql) => sql`select`),
    /password authentication failed/,
  )
  await embedded.stop()
  assert.equal(await addressOfRunning(directory), undefined)
  await assert.rejects(access(embedded.address.host), { code: 'ENOENT' })
  assert.deepEqual((await readdir(directory)).sort(), ['postgres', 'postgres.password'])
  assert.notEqual((await stat(join(directory, 'postgres'))).uid, 0)
})

test('a second start is ready in under a second and finds what was committed', async (t) => {
  const first = await start(t, directory)
  const answer = await remember(first.address)
  await first.stop()
  const startedAt = performance.now()
  const second = await start(t, directory)
  assert.ok(performance.now() - startedAt < 1_000)
  await assertRemembered(second.address, answer)
})

test('PostgreSQL is restarted at the same address each time it is killed, with what was committed', async (t) => {
  const embedded = await start(t, directory)
  for (const _ of [1, 2]) {
    const answer = await remember(embedded.address)
    const killed = kill(embedded)
    await eventually(() => assertRemembered(embedded.address, answer))
    assert.notEqual(embedded.pid, killed)
  }
})

test('stopping while PostgreSQL is being restarted stops it', async (t) => {
  const embedded = await start(t, directory)
  const killed = kill(embedded)
  await eventually(async () => assert.notEqual(embedded.pid, killed))
  await embedded.stop()
  assert.ok(embedded.pid)
  assert.equal(await identifyProcess(embedded.pid), undefined)
})

test('Ctrl-C in the terminal reaches the service and not PostgreSQL', async (t) => {
  const service = startService(t, directory)
  await nextMessage(service)
  process.kill(-pidOf(service), 'SIGINT')
  assert.equal(await nextMessage(service), 'still here')
  await once(service, 'close')
})

test('after the service was killed, the next start ends its PostgreSQL and keeps the data', async (t) => {
  const service = startService(t, directory)
  const orphan: Started = await nextMessage(service)
  const answer = await remember(orphan.address)
  service.kill('SIGKILL')
  await once(service, 'close')
  assert.equal(await addressOfRunning(directory), undefined)
  assert.ok(await identifyProcess(orphan.pid))

  const embedded = await start(t, directory)
  assert.equal(await identifyProcess(orphan.pid), undefined)
  await assert.rejects(access(orphan.address.host), { code: 'ENOENT' })
  await assertRemembered(embedded.address, answer)
})

test('after both were killed, the next start waits for a backend that is still at work', async (t) => {
  const service = startService(t, directory)
  const killed: Started = await nextMessage(service)
  const answer = await remember(killed.address)
  const sql = postgres({ ...killed.address, max: 1 })
  t.after(() => sql.end())
  await sql`select`
  sql`select count(*) from generate_series(1, 6000000)`.catch(ignore)
  await delay(100)
  service.kill('SIGKILL')
  process.kill(killed.pid, 'SIGKILL')
  const embedded = await start(t, directory)
  await assertRemembered(embedded.address, answer)
})

test('an initdb that was cut off does not spoil the next start', async (t) => {
  const fresh = await mkdtemp(join(temporary, 'fresh-'))
  const service = startService(t, fresh)
  await eventually(async () => assert.match((await readdir(fresh, { recursive: true })).join('\n'), /pg_wal/))
  service.kill('SIGKILL')
  await once(service, 'close')
  const embedded = await start(t, fresh)
  await embedded.stop()
  assert.deepEqual((await readdir(fresh)).sort(), ['postgres', 'postgres.password'])
})

test('a stale postmaster.pid neither harms the process that now has its number nor prevents the start', async (t) => {
  const postmasterFile = join(directory, 'postgres', 'postmaster.pid')
  const first = await start(t, directory)
  const [, ...lines] = (await readFile(postmasterFile, 'utf8')).split('\n')
  await first.stop()

  const { uid, gid } = await stat(join(directory, 'postgres'))
  const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  t.after(() => stranger.kill())
  await writeFile(postmasterFile, [pidOf(stranger), ...lines].join('\n'))
  await start(t, directory)
  assert.ok(await identifyProcess(pidOf(stranger)))
})

/** A start that finds `place` named as the directory of its last socket. */
async function startAfterSocketAt(t: TestContext, place: string) {
  await symlink(place, join(directory, 'postgres.socket'))
  const embedded = await start(t, directory)
  assert.notEqual(embedded.address.host, place)
  await embedded.stop()
  assert.deepEqual((await readdir(directory)).sort(), ['postgres', 'postgres.password'])
}

test('a full directory at the place of the last socket does not prevent the start', async (t) => {
  const place = await mkdtemp('/tmp/cardinal-')
  t.after(() => rm(place, { recursive: true }))
  await writeFile(join(place, 'something'), '')
  if (isRoot) await chown(place, 4242, 4242)
  await startAfterSocketAt(t, place)
  assert.deepEqual(await readdir(place), ['something'])
})

test('a link at the place of the last socket is not followed', async (t) => {
  const other = await mkdtemp(join(temporary, 'other-'))
  await writeFile(join(other, '.s.PGSQL.5432'), '')
  const place = await mkdtemp('/tmp/cardinal-')
  t.after(() => rm(place))
  await rmdir(place)
  await symlink(other, place)
  await startAfterSocketAt(t, place)
  assert.deepEqual(await readdir(other), ['.s.PGSQL.5432'])
})

test('the socket is below /run where this user may write there, else in /tmp', async (t) => {
  const runtime = isRoot ? '/run' : `/run/user/${process.getuid?.()}`
  const expected = await access(runtime, constants.W_OK).then(
    () => runtime,
    () => '/tmp',
  )
  const { address } = await start(t, directory)
  assert.equal(dirname(address.host), expected)
})

test('a PostgreSQL that cannot start says why and leaves nothing behind', async (t) => {
  await assert.rejects(
    start(t, directory, { shared_buffers: 'plenty' }),
    (error) =>
      error instanceof StartFailure && /invalid value for parameter "shared_buffers"/.test(error.message),
  )
  assert.deepEqual((await readdir(directory)).sort(), ['postgres', 'postgres.password'])
})

test('data of another major version of PostgreSQL is refused with the ways to move it, and stays as it is', async (t) => {
  const versionFile = join(directory, 'postgres', 'PG_VERSION')
  const own = await readFile(versionFile, 'utf8')
  await writeFile(versionFile, '17\n')
  await assert.rejects(
    start(t, directory),
    (error) =>
      error instanceof StartFailure &&
      /is of PostgreSQL 17, and this version of Cardinal comes with PostgreSQL 18\./.test(error.message) &&
      /export-to <DATABASE_URL>/.test(error.message),
  )
  await writeFile(versionFile, own)
  await start(t, directory)
})

interface Started {
  pid: number
  address: DatabaseAddress
}

async function start(
  t: TestContext,
  directory: string,
  more: Record<string, string> = settings,
): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ directory, log, settings: more })
  t.after(() => embedded.stop())
  return embedded
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

async function using<Result>(
  address: DatabaseAddress,
  use: (sql: postgres.Sql) => PromiseLike<Result>,
): Promise<Result> {
  const sql = postgres({ ...address, max: 1 })
  try {
    return await use(sql)
  } finally {
    await sql.end()
  }
}

async function remember(address: DatabaseAddress): Promise<string> {
  const answer = randomUUID()
  await using(address, (sql) => sql`insert into remembered values (${answer})`)
  return answer
}

async function assertRemembered(address: DatabaseAddress, answer: string): Promise<void> {
  const rows = await using(address, (sql) => sql`select answer from remembered where answer = ${answer}`)
  assert.equal(rows.length, 1)
}

function kill(embedded: EmbeddedPostgres): number {
  assert.ok(embedded.pid)
  process.kill(embedded.pid, 'SIGKILL')
  return embedded.pid
}

async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(10)
    }
  }
}

/** Starts a service in its own process group, as a terminal would. */
function startService(t: TestContext, directory: string): ChildProcess {
  const script = `
    import postgres from ${JSON.stringify(import.meta.resolve('postgres'))}
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))}
    const ignore = () => undefined
    const log = { debug: () => undefined, info: ignore, warn: ignore, error: ignore }
    const embedded = await startEmbedded({ directory: ${JSON.stringify(directory)}, log, settings: { fsync: 'off' } })
    process.on('SIGINT', async () => {
      const sql = postgres(embedded.address)
      const [row] = await sql\`select 'still here' as answer\`
      await sql.end()
      await embedded.stop()
      console.log(JSON.stringify(row.answer))
    })
    console.log(JSON.stringify({ pid: embedded.pid, address: embedded.address }))`
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => service.kill('SIGKILL'))
  return service
}

async function nextMessage(service: ChildProcess) {
  assert.ok(service.stdout)
  const [line] = await once(createInterface({ input: service.stdout }), 'line')
  return JSON.parse(line)
}

function pidOf(child: ChildProcess): number {
  assert.ok(child.pid)
  return child.pid
}
