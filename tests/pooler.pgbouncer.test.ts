// Behind PgBouncer in transaction mode: an old one is refused in a sentence, and with a newer one (Debian 13 has it) everything works.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { connect } from '#database/connect.ts'
import { accountForPostgres } from '#database/embedded/account.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { demoPassword } from '../demo/accounts.ts'
import { fileOf } from '../tools/system-programs.ts'
import { openStream, until } from './event-stream.ts'
import { afterFile } from './file-scope.ts'
import { createTestDatabase } from './postgres.ts'
import { onNetwork, run, serve } from './process.ts'
import { freePort } from './replicated-postgres.ts'

const program = await fileOf('pgbouncer')
const { stdout } = await promisify(execFile)(program, ['--version'])
const [, minor] = (/PgBouncer 1\.(\d+)/.exec(stdout) ?? []).map(Number)
const isOld = (minor ?? 0) < 21

/** A pooler in front of a database; returns its address for DATABASE_URL. */
async function startPooler({ host, port, username, password, database }: DatabaseAddress): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-pooler-'))
  const ownPort = await freePort()
  const files = {
    'users.txt': `"${username}" "${password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${host} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${path.join(directory, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 20',
      ...(isOld ? [] : ['max_prepared_statements = 200']),
    ].join('\n'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text)
  // PgBouncer refuses to run as root too, and the socket belongs to the user of PostgreSQL.
  const account = await accountForPostgres(directory)
  if (account)
    for (const name of ['.', ...Object.keys(files)])
      await chown(path.join(directory, name), account.uid, account.gid)
  const pooler = spawn(program, [path.join(directory, 'pgbouncer.ini')], { ...account, stdio: 'ignore' })
  const ended = once(pooler, 'exit')
  afterFile(async () => {
    pooler.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  })
  return `postgres://${username}:${password}@127.0.0.1:${ownPort}/${database}`
}

const database = await createTestDatabase()
afterFile(() => database.drop())
const pooled = await startPooler(database.address)

async function isRefused() {
  const { code, stderr } = await run(['serve'], { DATABASE_URL: pooled, PORT: '0' })
  const { host, pathname } = new URL(pooled)
  assert.equal(
    stderr,
    `The database of DATABASE_URL (${host}${pathname}) is behind a connection pooler that loses prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or name PostgreSQL itself.\n`,
  )
  assert.equal(code, 1)
}

async function isUsed() {
  const direct = (await onNetwork(database.address)).url
  assert.equal((await run(['demo'], { DATABASE_URL: pooled })).code, 0)
  const db = connect(database.address, { connections: 1 })
  afterFile(() => db.end())
  const limits = await db.sql<{ setting: string }[]>`
    select unnest(setconfig) as setting from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = ${database.address.database} order by 1`
  assert.deepEqual(
    limits.map(({ setting }) => setting),
    ['idle_in_transaction_session_timeout=60s', 'lock_timeout=10s', 'statement_timeout=30s'],
  )
  assert.equal(
    (await run(['serve'], { DATABASE_URL: pooled, CARDINAL_LISTEN_URL: pooled, PORT: '0' })).stderr,
    `The database of CARDINAL_LISTEN_URL (${new URL(pooled).host}${new URL(pooled).pathname}) is behind a connection pooler too; it has to be PostgreSQL itself.\n`,
  )

  for (const listenUrl of [direct, undefined]) {
    const environment = { DATABASE_URL: pooled, ...(listenUrl && { CARDINAL_LISTEN_URL: listenUrl }) }
    const [writing, reading] = await Promise.all([serve(environment), serve(environment)])
    const token = await writing.signIn('owner@acme.test', demoPassword)
    const [group] = await db.sql<{ id: number }[]>`
      select g.id from groups g join projects p on p.id = g.project_id
      where p.name = 'Acme' and g.deleted_at is null order by g.id limit 1`
    const stream = await openStream(reading, token)
    await until(() => stream.messages.length > 0, 'the first message')
    const create = () =>
      writing.client(token).call('/services/operations/v1/operations/cards/create', {
        title: 'Through the pooler',
        group_id: group?.id as number,
      })
    await Promise.all(Array.from({ length: 40 }, create))
    const { card } = await create()
    await until(() => stream.events().some((event) => event.card_id === card.id), 'the event')
    await stream.close()
    const warned = /passes on no notifications/.test(writing.stdout + writing.stderr)
    assert.equal(warned, listenUrl === undefined)
    for (const service of [writing, reading]) assert.equal(await service.stop(), 0)
  }
}

// Debian 12 has a pooler that is refused, Debian 13 one that is used.
if (isOld) test('a pooler that loses prepared statements is refused in a sentence', isRefused)
else test('behind a pooler two instances work, with limits and with live updates', isUsed)
