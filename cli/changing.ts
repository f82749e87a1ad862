import type { Origin } from '#audit/record.ts'
import { type Config, readConfig } from '#config.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { commandLog } from '../log.ts'
import { systemUser } from './started-by.ts'
import { withDatabase } from './with-database.ts'

/** Runs a command that changes something: one transaction, in which it also records its entry of the audit log. A problem undoes both. */
export const changing = <Result>(
  command: string,
  work: (db: Database, origin: Origin) => Promise<Result>,
  config: Config = readConfig(process.env),
): Promise<Result> =>
  withDatabase(config, (db) =>
    db.transaction((queries) => work(insideTransaction(db, queries), originOf(command, config))),
  )

export function originOf(command: string, { logLevel }: Config): Origin {
  const log = commandLog(logLevel)
  return {
    source: 'command line',
    actorId: null,
    address: null,
    requestId: null,
    details: { command, system_user: systemUser() },
    log: (line) => log.info({ audit: line }, 'audit'),
  }
}
