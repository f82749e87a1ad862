// Runs the real program in separate processes, which end with the test file, as do their directories.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Registry } from '#api/registry.ts'
import { type Calls, type Client, createClient } from '#contract/client.ts'
import { connect } from '#database/connect.ts'
import { dataDirectoryIn } from '#database/embedded/cluster.ts'
import { endOrphan } from '#database/embedded/orphan.ts'
import { lastSocketDirectory, removeSocketDirectory } from '#database/embedded/socket-directory.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { quietLog } from '../log.ts'
import { afterFile } from './file-scope.ts'
import { observedFetch } from './observed-fetch.ts'
import { createTestDatabase, demoVariable } from './postgres.ts'
import { eventually, within } from './running.ts'

export { eventually, postgresOn, withDatabaseOf, within } from './running.ts'

const program = path.join(import.meta.dirname, '../cli/cardinal.mjs')

/** Settings of the program; nothing else of this process's environment reaches it. */
export type Environment = Record<string, string>

interface Program {
  child: ChildProcessWithoutNullStreams
  pid: number
  stdout: string
  stderr: string
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

export interface RunningService extends Program {
  url: string
  client(token?: string, headers?: Record<string, string>): Client<Calls<Registry>>
  signIn(email: string, password: string): Promise<string>
  /** Asks it to stop, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-process-test-'))
  afterFile(async () => {
    await endOrphan(dataDirectoryIn(directory), await lastSocketDirectory(directory), quietLog)
    await removeSocketDirectory(directory)
    await rm(directory, { recursive: true, force: true })
  })
  return directory
}

/** A data directory that may have been started once, so that the demo need not be made again; without one, the first start makes it. */
export async function demoDirectory(): Promise<string> {
  const directory = await temporaryDirectory()
  const made = process.env[demoVariable]
  if (made !== undefined) await promisify(execFile)('cp', ['-a', `${made}/.`, directory])
  return directory
}

/** Starts a command, by default `cardinal`. */
export function start(args: string[], environment: Environment, file = process.execPath): Program {
  const child = spawn(file, file === process.execPath ? [program, ...args] : args, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // Otherwise its key would be in a file of this checkout.
      ...(!('CARDINAL_DATA_DIR' in environment) && {
        CARDINAL_SECRET_KEY: Buffer.alloc(32).toString('base64'),
      }),
      ...environment,
    },
  })
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code)
  afterFile(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const started: Program = { child, pid: child.pid as number, stdout: '', stderr: '', ended }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    started.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    started.stderr += text
  })
  return started
}

/** The same on a terminal, which `script` of util-linux provides. */
export const startOnTerminal = (args: string[], environment: Environment): Program =>
  start(
    ['-qec', `exec '${[process.execPath, program, ...args].join("' '")}'`, '/dev/null'],
    environment,
    'script',
  )

/** The demo accounts that a start printed. */
export const printedAccounts = ({ stdout }: Pick<Program, 'stdout'>): string[] =>
  [...stdout.matchAll(/^ {4}(\S+@\S+) /gm)].map((match) => match[1] as string)

/** Runs one command to its end. Lines of its log are left out of what it says. */
export async function run(args: string[], environment: Environment, input = '') {
  const running = start(args, environment)
  running.child.stdin.end(input)
  const code = await within(60_000, running.ended)
  return { code, stdout: running.stdout, stderr: running.stderr.replace(/^\{.*\}\n/gm, '') }
}

/** Starts `cardinal serve` on a free port and waits until it is ready. */
export async function serve(environment: Environment): Promise<RunningService> {
  const running = start(['serve'], { PORT: '0', ...environment })
  const address = () => /Cardinal is ready at (\S+)/.exec(running.stdout)?.[1]
  let hasEnded = false
  running.ended.then(() => {
    hasEnded = true
  })
  await eventually(() => assert.ok(address() !== undefined || hasEnded), 60_000)
  const url = address()
  assert.ok(url, `the service ended: ${running.stderr}`)
  const client = (token?: string, headers: Record<string, string> = {}) =>
    createClient<Calls<Registry>>({
      baseUrl: `${url}/api`,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      fetch: observedFetch,
    })
  return Object.assign(running, {
    url,
    client,
    signIn: async (email: string, password: string) =>
      (await client().call('/v1/authenticate', { email, password })).token,
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      running.child.kill(signal)
      return within(30_000, running.ended)
    },
  })
}

interface NetworkDatabase {
  url: string
  /** Changes the database behind the address; undefined refuses connections. */
  move(address: DatabaseAddress | undefined): Promise<void>
  /** Resets all connections, as the end of a process does. */
  reset(): void
  /** How long new connections, counted from 1, wait for their first answer. */
  slowDown(millisecondsOf: (connection: number) => number): void
}

/** Gives a database that has only a unix socket an address for DATABASE_URL. */
export async function onNetwork(address: DatabaseAddress): Promise<NetworkDatabase> {
  const sockets = new Set<Socket>()
  let target: DatabaseAddress | undefined = address
  let waitOf = (_connection: number) => 0
  let connections = 0
  const server = createServer(async (incoming) => {
    sockets.add(incoming.on('error', () => {}).on('close', () => sockets.delete(incoming)))
    const milliseconds = waitOf(++connections)
    if (milliseconds > 0) await delay(milliseconds, undefined, { ref: false })
    if (incoming.destroyed) return
    const { host = '', port = 0 } = target ?? {}
    const outgoing = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection(port, host)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy() && sockets.delete(socket))
      socket.pipe(other)
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  afterFile(close)
  const { port } = server.address() as { port: number }
  return {
    url: `postgres://${address.username}:${address.password}@127.0.0.1:${port}/${address.database}`,
    async move(next) {
      target = next
      if (next === undefined) await close()
      else await listen(port)
    },
    reset() {
      for (const socket of sockets) if (socket.remotePort !== undefined) socket.resetAndDestroy()
    },
    slowDown(millisecondsOf) {
      connections = 0
      waitOf = millisecondsOf
    },
  }
}

/** A database of the test run's PostgreSQL, with the current schema or empty. */
export async function networkDatabase({ isEmpty = false } = {}) {
  const database = await createTestDatabase()
  afterFile(() => database.drop())
  const db = connect(database.address, { connections: 1 })
  afterFile(() => db.end())
  if (isEmpty) await db.sql.unsafe('drop schema public cascade; create schema public')
  return { ...(await onNetwork(database.address)), db }
}
