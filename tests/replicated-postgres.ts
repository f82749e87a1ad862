// A primary and its replicas, from the programs of Debian's PostgreSQL, on ports of this machine.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Database } from '#database/connect.ts'
import { accountForPostgres } from '#database/embedded/account.ts'
import { migrate } from '#database/migrate.ts'
import { serverAddress } from '#database/server-address.ts'
import { fileOf } from '../tools/system-programs.ts'
import { afterFile } from './file-scope.ts'
import { eventually } from './process.ts'

export interface Server {
  port: number
  url: string
  db: Database
  /** As a crash does: nothing is flushed, and all connections end. */
  kill(): Promise<void>
}

/** For services in this process: an address of a server as DATABASE_URL has it. */
export const inProcess = (url: string) => ({
  ...serverAddress(url),
  ...{ host: '', port: 0, username: '', password: '', database: url },
})

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const usual = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  wal_receiver_timeout: '2s',
  wal_retrieve_retry_interval: '100ms',
}

/** Starts a new server with the current schema, or a replica of another one, on a port that may have been used before. It ends with the test file. */
export async function startServer({
  replicaOf,
  port,
  settings = {},
}: {
  replicaOf?: Server
  port?: number
  settings?: Record<string, string>
}): Promise<Server> {
  const programs = path.dirname(await fileOf('postgres-15'))
  const ownPort = port ?? (await freePort())
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-replicated-'))
  const data = path.join(directory, 'data')
  const account = await accountForPostgres(directory)
  if (account) await chown(directory, account.uid, account.gid)
  const start = (program: string, ...args: string[]) =>
    spawn(path.join(programs, program), args, { ...account, cwd: directory, stdio: 'ignore' })
  const made = replicaOf
    ? start(
        'pg_basebackup',
        ...['-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
        ...['-d', `host=127.0.0.1 port=${replicaOf.port} user=cardinal application_name=replica`],
      )
    : start('initdb', '-D', data, '-U', 'cardinal', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8')
  assert.deepEqual(await once(made, 'exit'), [0, null])
  const options = Object.entries({ ...usual, ...settings, port: String(ownPort) })
  const postgres = start('postgres', '-D', data, ...options.flatMap((pair) => ['-c', pair.join('=')]))
  const ended = once(postgres, 'exit')
  const kill = async () => {
    postgres.kill('SIGQUIT')
    await ended
  }
  const url = `postgres://cardinal@127.0.0.1:${ownPort}/cardinal`
  const db = connect(replicaOf ? url : url.replace(/\w+$/, 'postgres'), { connections: 1 })
  afterFile(async () => {
    await db.end()
    await kill()
    await rm(directory, { recursive: true, force: true })
  })
  await eventually(() => db.sql`select 1`)
  if (replicaOf) return { port: ownPort, url, db, kill }
  await db.sql.unsafe('create database cardinal')
  const own = connect(url, { connections: 1 })
  afterFile(() => own.end())
  await migrate(own)
  return { port: ownPort, url, db: own, kill }
}
