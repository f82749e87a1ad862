import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartFailure } from '../start-failure.ts'
import { connectPatiently } from './connect-patiently.ts'
import { accountForPostgres } from './embedded/account.ts'
import { dataDirectoryIn, prepareCluster, superuser } from './embedded/cluster.ts'
import { requireOwnMajor } from './embedded/major.ts'
import { endOrphan } from './embedded/orphan.ts'
import { launchPostmaster } from './embedded/postmaster.ts'
import { findPrograms } from './embedded/programs.ts'
import { dropUnused } from './embedded/replacement.ts'
import {
  lastSocketDirectory,
  makeSocketDirectory,
  port,
  removeSocketDirectory,
} from './embedded/socket-directory.ts'
import { type Log, supervise } from './embedded/supervisor.ts'
import { unusable } from './owner.ts'
import { identifyProcess, isRunning } from './process-identity.ts'
import { unlessMissing } from './unless-missing.ts'

const database = 'cardinal'

/** Options for the driver; the host is a directory with a unix socket. */
export interface DatabaseAddress {
  host: string
  port: number
  username: string
  password: string
  database: string
}

export interface EmbeddedPostgres {
  readonly address: DatabaseAddress
  /** The pid of PostgreSQL's main process. It changes after a restart and is undefined if the restart failed. */
  readonly pid: number | undefined
  stop(): Promise<void>
}

interface EmbeddedOptions {
  directory: string
  log: Log
  /** PostgreSQL settings, in addition to ours. */
  settings?: Record<string, string>
}

/** Runs PostgreSQL on a data directory that this process has claimed, and restarts it when it ends. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const directory = resolve(options.directory)
  try {
    return await start({ ...options, directory })
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(`PostgreSQL could not be started in ${directory}: ${error}`, { cause: error })
  }
}

async function start({ directory, log, settings }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = dataDirectoryIn(directory)
  const account = await accountForPostgres(directory)
  const startProgram = await findPrograms(account)

  await endOrphan(dataDirectory, await lastSocketDirectory(directory), log)
  await removeSocketDirectory(directory)
  await requireOwnMajor(dataDirectory)
  const password = await prepareCluster(directory, startProgram, account)

  await using toUndo = new AsyncDisposableStack()
  const host = await makeSocketDirectory(directory, account)
  toUndo.defer(() => removeSocketDirectory(directory))

  const allSettings = { ...settingsFor(host), ...settings }
  const launch = () => launchPostmaster(startProgram, dataDirectory, allSettings, log)
  const supervisor = await supervise(launch, log)
  toUndo.defer(() => supervisor.stop())

  const address = { host, port, username: superuser, password, database }
  await createDatabase(address)
  await publish(directory, address)
  toUndo.defer(() => rm(addressFileIn(directory), { force: true }))

  const toStop = toUndo.move()
  return {
    address,
    get pid() {
      return supervisor.pid
    },
    stop: () => toStop.disposeAsync(),
  }
}

/** The address of a running service's database, for the command line; undefined if none is running. */
export async function addressOfRunning(directory: string): Promise<DatabaseAddress | undefined> {
  const file = await unlessMissing(readFile(addressFileIn(directory), 'utf8')).catch((error) => {
    throw unusable(directory, error)
  })
  if (file === undefined) return undefined
  const published: Published = JSON.parse(file)
  return (await isRunning(published.publisher)) ? published.address : undefined
}

interface Published {
  publisher: string
  address: DatabaseAddress
}

function addressFileIn(directory: string): string {
  return join(directory, 'postgres.address')
}

async function publish(directory: string, address: DatabaseAddress): Promise<void> {
  const publisher = await identifyProcess(process.pid)
  const partial = `${addressFileIn(directory)}.partial`
  await rm(partial, { force: true })
  await writeFile(partial, JSON.stringify({ publisher, address }), { mode: 0o600, flag: 'wx' })
  await rename(partial, addressFileIn(directory))
}

async function createDatabase(address: DatabaseAddress): Promise<void> {
  const db = await connectPatiently({ ...address, database: 'postgres' })
  try {
    const existing = await db.sql`select from pg_database where datname = ${address.database}`
    if (existing.length === 0) await db.sql.unsafe(`create database ${address.database}`)
    await dropUnused(db)
  } finally {
    await db.end()
  }
}

function settingsFor(socketDirectory: string): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    port: String(port),
    max_connections: '100',
    timezone: 'UTC',
    // Compiling a plan costs more than the short statements of a small service.
    jit: 'off',
    // After a crash one call per file system instead of one per file: half a second sooner, and seconds on a busy disk.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    // Errors go to the caller of the statement, and their text can quote rows.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
  }
}
