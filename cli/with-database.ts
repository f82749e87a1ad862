import type { Config } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { connectPatiently } from '#database/connect-patiently.ts'
import { addressOfRunning } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { quietLog } from '../log.ts'
import { openDatabase } from './open-database.ts'

/** Runs one command on the database, with or without a running service, after the migrations that it lacked. */
export const withDatabase = <Result>(
  config: Config,
  work: (db: Database, applied: string[]) => Promise<Result>,
): Promise<Result> => withDatabaseAsItIs(config, async (db) => work(db, await migrate(db, { onWait })))

/** The same without migrations. A command that only reads may use a replica. */
export async function withDatabaseAsItIs<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
  { isForReading = false } = {},
): Promise<Result> {
  const patience = { isForReading, onWait }
  const running = config.databaseUrl === undefined ? await addressOfRunning(config.dataDirectory) : undefined
  const { db, close } = running
    ? closable(await connectPatiently(running, patience))
    : await openDatabase(config, quietLog, patience)
  try {
    return await work(db)
  } finally {
    await close()
  }
}

const onWait = (sentence: string) => console.error(sentence)

const closable = (db: Database) => ({ db, close: () => db.end() })
