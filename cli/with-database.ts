import type { Config } from '#config.ts'
import { connect, type Database } from '#database/connect.ts'
import { addressOfRunning } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { quietLog } from '../log.ts'
import { openDatabase } from './open-database.ts'

/** Runs one command on the migrated database: beside a running service, or alone. */
export async function withDatabase<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const running = config.databaseUrl === undefined ? await addressOfRunning(config.dataDirectory) : undefined
  const opened = running ? undefined : await openDatabase(config, quietLog)
  const db = connect(running ?? (opened?.address as string), { connections: 2 })
  try {
    await migrate(db)
    return await work(db)
  } finally {
    await db.end()
    await opened?.close()
  }
}
