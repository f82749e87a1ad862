import type { Config } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { type Patience, reach } from '#database/connect-patiently.ts'
import { type DatabaseAddress, startEmbedded } from '#database/embedded.ts'
import { claimDirectory } from '#database/owner.ts'
import { keepLimits } from '#database/pooled-limits.ts'
import { type ServerAddress, serverAddress } from '#database/server-address.ts'
import { StartFailure } from '#start-failure.ts'
import type { Log } from '../log.ts'

interface OpenDatabase {
  address: DatabaseAddress | ServerAddress
  isEmbedded: boolean
  /** Has answered, and keeps one connection until it is closed. */
  db: Database
  close(): Promise<void>
}

/** Opens the database of DATABASE_URL, or else the embedded one, which this process then owns. */
export async function openDatabase(config: Config, log: Log, patience: Patience): Promise<OpenDatabase> {
  await using toUndo = new AsyncDisposableStack()
  const { db, address } =
    config.databaseUrl === undefined
      ? await reach(await runEmbedded(config, log, toUndo), patience)
      : await reachServer(config.databaseUrl, config.listenUrl, patience)
  toUndo.defer(() => db.end())
  await checkVersion(db)
  const toClose = toUndo.move()
  return {
    address,
    isEmbedded: config.databaseUrl === undefined,
    db,
    close: () => toClose.disposeAsync(),
  }
}

async function runEmbedded(
  { dataDirectory }: Config,
  log: Log,
  toUndo: AsyncDisposableStack,
): Promise<DatabaseAddress> {
  const claim = await claimDirectory(dataDirectory)
  toUndo.defer(() => claim.release())
  const postgres = await startEmbedded({ directory: dataDirectory, log })
  toUndo.defer(() => postgres.stop())
  return postgres.address
}

/** Migrations and commands use the address without a pooler, if there is one, because some statements take longer than others may. */
async function reachServer(databaseUrl: string, listenUrl: string | undefined, patience: Patience) {
  const reached = await reach(databaseUrl, patience)
  try {
    const address = reached.address as ServerAddress
    if (address.isPooled && !patience.isForReading) await keepLimits(reached.db)
    if (listenUrl === undefined) return reached
    const direct = await reach(serverAddress(listenUrl, 'CARDINAL_LISTEN_URL'), patience)
    const directAddress = direct.address as ServerAddress
    const problem = directAddress.isPooled
      ? 'is behind a connection pooler too; it has to be PostgreSQL itself'
      : (await identityOf(direct.db)) === (await identityOf(reached.db))
        ? undefined
        : 'is another one than that of DATABASE_URL'
    await (problem === undefined ? reached : direct).db.end()
    if (problem !== undefined) throw new StartFailure(`The ${directAddress.name} ${problem}.`)
    return { db: direct.db, address: { ...address, direct: directAddress } }
  } catch (error) {
    void reached.db.end()
    throw error
  }
}

/** Differs between two running servers, and between their databases. */
async function identityOf({ sql }: Database): Promise<string | undefined> {
  const [row] = await sql<{ identity: string }[]>`
    select pg_postmaster_start_time()::text || ' ' || current_database() as identity`
  return row?.identity
}

const oldestVersion = 15

async function checkVersion({ sql }: Database) {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  const version = Math.floor(Number(row?.version) / 10_000)
  if (version < oldestVersion)
    throw new StartFailure(
      `DATABASE_URL names a PostgreSQL ${version}; Cardinal needs ${oldestVersion} or newer.`,
    )
}
