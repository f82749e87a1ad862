// A PostgreSQL that a test starts by itself, from any directory of programs and with any environment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { accountForPostgres } from '#database/embedded/account.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { testSettings } from './postgres.ts'

/** `programs` is the directory with `initdb` and `postgres`. It ends with the test. */
export async function startOwnPostgres(
  t: TestContext,
  programs: string,
  environment: Record<string, string> = {},
): Promise<DatabaseAddress> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-own-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const data = path.join(directory, 'data')
  const account = await accountForPostgres(directory)
  await mkdir(data)
  if (account) for (const folder of [directory, data]) await chown(folder, account.uid, account.gid)
  const start = (program: string, ...options: string[]) =>
    spawn(path.join(programs, program), ['-D', data, ...options], {
      ...account,
      cwd: data,
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    })
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
