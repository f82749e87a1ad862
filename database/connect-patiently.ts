// Opens the first connection of a start or a command, when the machine may be slow or the database still starting.
import { setTimeout as delay } from 'node:timers/promises'
import { StartFailure } from '../start-failure.ts'
import { codeOf, connect, type Database } from './connect.ts'
import type { DatabaseAddress } from './embedded.ts'
import { type Address, readOnlyReason, type ServerAddress, serverAddress } from './server-address.ts'
import { isUnreachable } from './unreachable.ts'

export interface Patience {
  /** How long to try in total. */
  seconds?: number
  /** Whether a database that cannot be written is good enough. */
  isForReading?: boolean
  /** Ends the waiting. */
  signal?: AbortSignal
  /** Called once when it takes longer than usual. */
  onWait?(sentence: string): void
}

const firstLimitSeconds = 2
const longestLimitSeconds = 15
const pauseMilliseconds = 250
const silentMilliseconds = 1_500

/** Returns a database with one connection that has answered; the time allowed for an answer grows with each attempt. */
export const connectPatiently = async (address: Address, patience: Patience = {}): Promise<Database> =>
  (await reach(address, patience)).db

interface Reached {
  db: Database
  /** With what was learned on the way. */
  address: DatabaseAddress | ServerAddress
}

/** The same, with the address to use from now on. */
export async function reach(
  given: Address,
  { seconds = 60, isForReading = false, signal, onWait }: Patience,
): Promise<Reached> {
  const startedAt = performance.now()
  const leftSeconds = () => seconds - (performance.now() - startedAt) / 1000
  let address = typeof given === 'string' ? serverAddress(given) : given
  const name = 'url' in address ? address.name : 'embedded PostgreSQL'
  let tell = onWait
  for (let limit = firstLimitSeconds; ; limit = Math.min(limit * 2, longestLimitSeconds)) {
    const connectSeconds = Math.min(limit, Math.max(leftSeconds(), 0.1))
    const nowhere = 'url' in address ? await address.primary?.find() : undefined
    const db = connect(address, { connections: 1, connectSeconds })
    const seen = await lookAt(db, connectSeconds, signal)
    // Our own may be for a while, and then it serves reads.
    const isReadOnly = 'url' in address && 'isReadOnly' in seen && seen.isReadOnly
    const isNewlyPooled =
      'url' in address && !address.isPooled && ('failure' in seen ? isOfPooler(seen.failure) : seen.isPooled)
    if (!('failure' in seen) && !isNewlyPooled && (!isReadOnly || isForReading)) {
      if (seen.isPooled && !seen.areStatementsKept) {
        void db.end()
        throw new StartFailure(`The ${name} ${losesStatements}`)
      }
      return { db, address }
    }
    // Not awaited, because it may take as long as the attempt.
    void db.end()
    signal?.throwIfAborted()
    if (isNewlyPooled) {
      address = { ...(address as ServerAddress), isPooled: true }
      continue
    }
    // Where several servers are named, one without an address does not end the search.
    const mayPass = (failure: unknown) =>
      isUnreachable(failure) || (nowhere !== undefined && codeOf(failure) === 'ENOTFOUND')
    if ('failure' in seen && !mayPass(seen.failure))
      throw new StartFailure(`Cannot use the ${name}: ${reasonOf(seen.failure)}.`)
    const reason = nowhere ?? ('failure' in seen ? reasonOf(seen.failure) : `it ${readOnlyReason}`)
    if (leftSeconds() <= 0)
      throw new StartFailure(
        isReadOnly
          ? `The ${name} cannot be written after ${seconds} seconds: ${reason}. Promote it, or name the primary.`
          : `The ${name} did not answer within ${seconds} seconds: ${reason}. Check that PostgreSQL is running and can be reached from here.`,
      )
    if (performance.now() - startedAt > silentMilliseconds) {
      tell?.(`Waiting for the ${name}: ${reason}.`)
      tell = undefined
    }
    await delay(pauseMilliseconds, undefined, { ...(signal && { signal }) }).catch(() => {})
    signal?.throwIfAborted()
  }
}

const losesStatements =
  'is behind a connection pooler that loses prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or name PostgreSQL itself.'

/** PgBouncer allows only few settings at the start of a connection. */
const isOfPooler = (error: unknown): boolean =>
  codeOf(error) === '08P01' && /startup parameter/.test((error as Error).message)

interface Seen {
  isReadOnly: boolean
  isPooled: boolean
  /** True if a pooler knows the names of prepared statements, and prepares them on each of its connections. */
  areStatementsKept: boolean
}

/** What the database says of itself, or why it does not answer. */
async function lookAt(
  db: Database,
  limitSeconds: number,
  signal?: AbortSignal,
): Promise<Seen | { failure: unknown }> {
  const over = new AbortController()
  const signals = [over.signal, ...(signal ? [signal] : [])]
  // The driver retries forever if connections are accepted and closed at once, as proxies do.
  const limit = delay(limitSeconds * 1000 + 500, undefined, { signal: AbortSignal.any(signals) })
  try {
    return await Promise.race([read(db), limit.then(() => ({ failure: timedOut }))])
  } catch (failure) {
    return { failure }
  } finally {
    over.abort()
    limit.catch(() => {})
  }
}

async function read(db: Database): Promise<Seen> {
  // A prepared statement itself.
  const rows = await db.sql<{ is_read_only: boolean; pid: number; names: string[] | null }[]>`
    select pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only,
      pg_backend_pid() as pid, (select json_agg(name) from pg_prepared_statements) as names`
  // What the driver knows of its connection and of the statement, which a pooler replaces.
  const { state, statement } = rows
  const [row] = rows
  return {
    isReadOnly: row?.is_read_only ?? false,
    isPooled: state.pid !== row?.pid,
    areStatementsKept: row?.names?.includes(statement.name) !== true,
  }
}

const timedOut = Object.assign(new Error('no answer'), { code: 'CONNECT_TIMEOUT' })

const reasonOf = (error: unknown): string =>
  codeOf(error) === 'CONNECT_TIMEOUT' ? 'no answer' : (error as Error).message || codeOf(error)
