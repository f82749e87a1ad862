// The oldest supported PostgreSQL (docs/operating.md): every migration applies, and the core of the product works.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { connect } from '#database/connect.ts'
import { accountForPostgres } from '#database/embedded/account.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { fileOf } from '../tools/system-programs.ts'
import { addressVariable, makeTemplate, testSettings } from './postgres.ts'
import { eventually } from './process.ts'
import { assertPass } from './suites.ts'

const suites = [
  'tests/schema.test.ts',
  'tests/first-schema.test.ts',
  'jobs/queue.test.ts',
  'quotas/quotas.test.ts',
  'api/services/operations/v1/operations/boards/get.test.ts',
  'api/services/operations/v1/operations/cards/create.test.ts',
  'api/services/operations/v1/operations/cards/move.test.ts',
  'api/services/operations/v1/admin/master-boards/sync.test.ts',
  'templates/apply.test.ts',
]

/** PostgreSQL 15 as Debian installs it, in a directory of its own. */
async function startPostgres15(t: TestContext): Promise<DatabaseAddress> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-15-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const data = path.join(directory, 'data')
  const account = await accountForPostgres(directory)
  await mkdir(data)
  if (account) for (const folder of [directory, data]) await chown(folder, account.uid, account.gid)
  const programs = path.dirname(await fileOf('postgres-15'))
  const start = (program: string, ...options: string[]) =>
    spawn(path.join(programs, program), ['-D', data, ...options], { ...account, cwd: data, stdio: 'ignore' })
  const initdb = start('initdb', '--username=cardinal', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8')
  assert.deepEqual(await once(initdb, 'exit'), [0, null])
  const settings = { ...testSettings, listen_addresses: '', unix_socket_directories: directory, jit: 'off' }
  const postgres = start('postgres', ...Object.entries(settings).flatMap((pair) => ['-c', pair.join('=')]))
  const ended = once(postgres, 'exit')
  t.after(async () => {
    postgres.kill('SIGINT')
    await ended
  })
  return { host: directory, port: 5432, username: 'cardinal', password: '', database: 'postgres' }
}

test('every migration and the core suites pass on PostgreSQL 15', async (t) => {
  const address = await startPostgres15(t)
  const db = connect(address, { connections: 1 })
  t.after(() => db.end())
  const version = async () => (await db.sql<{ server_version: string }[]>`show server_version`)[0]
  assert.match((await eventually(version))?.server_version ?? '', /^15\./)
  await makeTemplate(address)
  await assertPass(suites, { [addressVariable]: JSON.stringify(address) })
})
