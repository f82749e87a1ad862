import type { Config } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { connectPatiently, type Patience } from '#database/connect-patiently.ts'
import { type DatabaseAddress, startEmbedded } from '#database/embedded.ts'
import { claimDirectory } from '#database/owner.ts'
import { StartFailure } from '#start-failure.ts'
import type { Log } from '../log.ts'

interface OpenDatabase {
  address: DatabaseAddress | string
  isEmbedded: boolean
  /** Has answered, and keeps one connection until it is closed. */
  db: Database
  close(): Promise<void>
}

/** Opens the database of DATABASE_URL, or else the embedded one, which this process then owns. */
export async function openDatabase(config: Config, log: Log, patience: Patience): Promise<OpenDatabase> {
  await using toUndo = new AsyncDisposableStack()
  const address = config.databaseUrl ?? (await runEmbedded(config, log, toUndo))
  const db = await connectPatiently(address, patience)
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

const oldestVersion = 15

async function checkVersion({ sql }: Database) {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  const version = Math.floor(Number(row?.version) / 10_000)
  if (version < oldestVersion)
    throw new StartFailure(
      `DATABASE_URL names a PostgreSQL ${version}; Cardinal needs ${oldestVersion} or newer.`,
    )
}
