import postgres from 'postgres'
import type { Turn } from './fair-queue.ts'
import {
  type Connections,
  eachStatement,
  isOfEarlierConnection,
  never,
  replaceablePool,
  type Statement,
  type TransactionConnection,
  unlessLost,
} from './replaceable-pool.ts'
import { tellOf } from './sent-statements.ts'
import { type Address, optionsFor, type SocketMaker, serverAddress, usualSocket } from './server-address.ts'
import { closingSilent } from './silence.ts'

export interface Queries {
  /** Hand-written SQL as a tagged template: every value becomes a parameter. */
  readonly sql: Sql
  /** Runs fixed SQL text as a prepared statement. */
  run<Row extends object>(text: string, values: Value[]): Promise<Row[]>
  /** Announces a change of a project: after the commit, or at once if there is no transaction (events/change.ts). */
  announce(projectId: number): void
  /** Calls back after the commit, or at once if there is no transaction; never for a savepoint that was rolled back. */
  afterCommit(effect: () => void): void
}

export interface Transaction extends Queries {
  /** Work that may fail without ending the transaction; only what it did is undone. */
  savepoint<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
}

export interface Database extends Queries {
  /** One transaction, tried again if PostgreSQL ends it because of a deadlock or a serialization conflict. */
  transaction<Result>(work: (queries: Transaction) => Promise<Result>): Promise<Result>
  /** False behind a connection pooler, unless the address of the server itself is known. */
  readonly canListen: boolean
  /** Listens on a channel and calls `onConnect` after each connection; returns after the first attempt, successful or not. */
  listen(channel: string, onNotify: (payload: string) => void, onConnect: () => void): Promise<void>
  /** Connections of their own to the same database. */
  beside(options: ConnectOptions): Database
  end(): Promise<void>
}

type Sql = postgres.ISql<Record<never, never>>

/** The values that a statement can have as parameters. */
export type Value = NonNullable<Parameters<Sql['unsafe']>[1]>[number]

interface Pool extends Database {
  readonly connections: number
  /** Statements and transactions that have been sent and not answered. */
  readonly running: number
  /** The same connections, but each statement, and each transaction as a whole, waits for its turn. */
  inTurn(turn: Turn): Database
}

export interface ConnectOptions {
  connections?: number
  /** 0 is no limit, here and below. */
  longestStatementSeconds?: number
  longestLockWaitSeconds?: number
  connectSeconds?: number
  /** PostgreSQL refuses changes, except behind a pooler. */
  isReadOnly?: boolean
  /** PostgreSQL finds rows by their keys whatever it believes of the sizes of tables, except behind a pooler. */
  findsByKeys?: boolean
  /** A connection is closed when PostgreSQL has said nothing for this long while statements run; never by default. */
  longestSilenceSeconds?: number
  /** Called with the projects that changed, after the commit. */
  onNews?: (projectIds: readonly number[]) => void
  /** Called with what an effect threw; the work is committed all the same. */
  onEffectFailure?: (error: unknown) => void
}

/** Behind a pooler they are settings of the role (pooled-limits.ts), because it refuses them at the start of a connection. */
export const usualLimits = { statement: 30, lockWait: 10, idleInTransaction: 60 }

export function connect(
  given: Address,
  {
    connections = 10,
    longestStatementSeconds = usualLimits.statement,
    longestLockWaitSeconds = usualLimits.lockWait,
    connectSeconds = 2,
    isReadOnly = false,
    findsByKeys = false,
    longestSilenceSeconds,
    onNews = () => {},
    onEffectFailure = (error) => process.emitWarning(String(error)),
  }: ConnectOptions = {},
): Pool {
  const address = typeof given === 'string' ? serverAddress(given) : given
  const { primary, isPooled, direct } = 'url' in address ? address : ownServer
  const options = {
    max: connections,
    // The socket of a PostgreSQL that was killed still accepts connections but answers none until its last backend has ended.
    connect_timeout: connectSeconds,
    // A server that is back is found at once; the driver's own growing delay kept requests waiting for up to 16 s.
    backoff: () => 0.05,
    // The types are declared below, because the driver's own query for them ends the process if the connection is lost during it.
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: 'cardinal',
      TimeZone: 'UTC',
      ...(!isPooled && {
        statement_timeout: longestStatementSeconds * 1000,
        lock_timeout: longestLockWaitSeconds * 1000,
        idle_in_transaction_session_timeout: usualLimits.idleInTransaction * 1000,
        ...(isReadOnly && { default_transaction_read_only: true }),
        ...(findsByKeys && byKeys),
      }),
    },
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      bigints: {
        to: 1016,
        from: [1016],
        serialize: (ids: number[]) => `{${ids.join(',')}}`,
        parse: (text: string): number[] => JSON.parse(`[${text.slice(1, -1)}]`),
      },
      date: { to: 1184, from: [1184], serialize: String, parse: toTimestamp },
    },
  } satisfies postgres.Options<Record<string, postgres.PostgresType>>
  const open = (more: { socket?: SocketMaker } = {}) =>
    'url' in address
      ? postgres(address.url, { ...options, ...(primary && optionsFor(primary)), ...more })
      : postgres({ ...address, ...options, ...more })
  const watched = longestSilenceSeconds && closingSilent(longestSilenceSeconds, () => pool.running > 0)
  const socketOf = primary ? optionsFor(primary).socket : usualSocket
  const pool = replaceablePool(
    () => open(watched ? { socket: (parts) => watched(socketOf(parts)) } : {}),
    () => void primary?.find(),
  )
  const isUnusual =
    longestStatementSeconds !== usualLimits.statement || longestLockWaitSeconds !== usualLimits.lockWait
  const ownLimits =
    isPooled && isUnusual
      ? `set local statement_timeout = '${longestStatementSeconds}s'; set local lock_timeout = '${longestLockWaitSeconds}s'`
      : undefined
  const sql = pool.sql
  let listener: Connections | undefined
  let listening: Database | undefined
  const attempt = (effect: () => void) => {
    try {
      effect()
    } catch (error) {
      onEffectFailure(error)
    }
  }
  const afterwards: Afterwards = {
    announce: (projectId) => attempt(() => onNews([projectId])),
    afterCommit: attempt,
  }
  const begin = async <Result>(work: (queries: Transaction) => Promise<Result>): Promise<Result> => {
    const { changed, effects, noted } = notes()
    // Kept away from the driver, because a connection holds its last transaction and that result until the next one.
    const results: Result[] = []
    try {
      await pool.begin(async (inner, connection) => {
        const queries = transactionOn(inner, connection, noted)
        const limited = async () => {
          if (ownLimits !== undefined) await queries.sql.unsafe(ownLimits)
          return work(queries)
        }
        results.push(await limited().then(connection.unlessLost, unlessLost))
      })
    } catch (error) {
      if (!isOfEarlierConnection(error)) throw error
      return begin(work)
    }
    if (changed.size > 0) attempt(() => onNews([...changed]))
    effects.forEach(attempt)
    return results.pop() as Result
  }
  const database: Database = {
    ...queriesOn(sql, afterwards),
    transaction: (work) => retried(() => begin(work)),
    canListen: !isPooled || direct !== undefined,
    async listen(channel, onNotify, onConnect) {
      if (direct) {
        listening ??= connect(direct, { connections: 1, connectSeconds })
        return listening.listen(channel, onNotify, onConnect)
      }
      if (isPooled) return
      // The driver itself listens again after each connection that failed, the first one included.
      listener ??= open()
      await listener.listen(channel, onNotify, onConnect).catch(() => {})
    },
    beside: (besideOptions) => connect(address, besideOptions),
    async end() {
      await Promise.all([pool.end(), listener?.end({ timeout: 1 }), listening?.end()])
    },
  }
  return {
    ...database,
    connections,
    get running() {
      return pool.running
    },
    inTurn: (turn) => ({
      ...database,
      ...queriesOn(
        eachStatement(sql, (statement) => inTurn(statement, turn)),
        afterwards,
      ),
      transaction: (work) => turn(() => database.transaction(work)),
    }),
  }
}

const byKeys = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

/** The embedded PostgreSQL. */
const ownServer = { primary: undefined, isPooled: false, direct: undefined }

function inTurn(statement: Statement, turn: Turn): void {
  const { handler } = statement
  statement.handler = (query) => {
    turn(async () => {
      handler(query)
      await query
    }).catch(statement.reject)
  }
}

/** The same transaction, for work that would otherwise open its own. */
export function insideTransaction(db: Database, queries: Transaction): Database {
  return { ...db, ...queries, transaction: (work) => work(queries) }
}

/** What happens once the work is committed. */
type Afterwards = Pick<Queries, 'announce' | 'afterCommit'>

/** Announcements and effects of work that is not committed yet. */
function notes() {
  const changed = new Set<number>()
  const effects: (() => void)[] = []
  const noted: Afterwards = {
    announce: (projectId) => void changed.add(projectId),
    afterCommit: (effect) => void effects.push(effect),
  }
  return { changed, effects, noted }
}

function queriesOn(sql: Sql, afterwards: Afterwards): Queries {
  return { sql, run: (text, values) => sql.unsafe(text, values, { prepare: true }), ...afterwards }
}

function transactionOn(
  sql: postgres.TransactionSql,
  connection: TransactionConnection,
  afterwards: Afterwards,
): Transaction {
  const on = (inner: Sql, after: Afterwards) =>
    queriesOn(
      eachStatement(inner, (statement) => onlyOn(connection, statement)),
      after,
    )
  return {
    ...on(sql, afterwards),
    async savepoint(work) {
      if (connection.isLost) return never()
      const { changed, effects, noted } = notes()
      const { result } = await sql.savepoint((inner) => boxed(work(on(inner, noted))))
      changed.forEach(afterwards.announce)
      effects.forEach(afterwards.afterCommit)
      return result
    },
  }
}

/** After its connection is lost, the driver would send the rest of a transaction on the next one, outside of any transaction. */
function onlyOn(connection: TransactionConnection, statement: Statement): void {
  const { handler } = statement
  statement.handler = (query) => {
    if (connection.isLost) return
    tellOf(statement)
    handler(query)
  }
}

/** The result of a transaction, wrapped because the driver would unwrap a list. */
const boxed = async <Result>(work: Promise<Result>): Promise<{ result: Result }> => ({
  result: await work.catch(unlessLost),
})

const conflicts = new Set(['40P01', '40001'])

/** For one statement that takes several locks; a transaction is retried by itself. */
export async function retried<Result>(work: () => Promise<Result>, ...alsoOn: string[]): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt > 3 || !(conflicts.has(codeOf(error)) || alsoOn.includes(codeOf(error)))) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

export const uniqueViolation = '23505'
export const lockNotAvailable = '55P03'
export const readOnlyTransaction = '25006'
export const diskFull = '53100'
/** A statement that exceeded its timeout. */
export const queryCanceled = '57014'

/** PostgreSQL's five-character error code, or ''. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** Whether a statement failed because the named unique index already has such a row. */
export const violates = (error: unknown, index: string): boolean =>
  codeOf(error) === uniqueViolation && (error as { constraint_name?: string }).constraint_name === index

/** PostgreSQL writes `2026-01-31 08:00:00.5+00` in UTC; the wire has `2026-01-31T08:00:00.500Z`. */
function toTimestamp(text: string): string {
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}
