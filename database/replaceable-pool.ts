// A pool of the driver whose connections are not used again after one was lost. Used by connect.ts.
import type postgres from 'postgres'
import { tellOf } from './sent-statements.ts'
import { errorCode } from './unless-missing.ts'
import { isUnreachable } from './unreachable.ts'

type Sql = postgres.ISql<Record<never, never>>

export type Connections = ReturnType<typeof postgres>

/** Statements that still run on the healthy connections of a replaced pool have this long. */
const retiredMilliseconds = 10_000

/** The connection of a transaction. */
export interface TransactionConnection {
  readonly isLost: boolean
  /** Stays pending if the connection is lost, because the driver would send its commit to the next connection. */
  unlessLost<Result>(result: Result): Result | Promise<never>
}

/**
 * A pool that is replaced when one of its connections is lost. The driver (3.4.9) reconnects with the unsent bytes and the unanswered
 * statements of the lost connection: each connect then takes until its timeout, or a later statement is never answered.
 * `onUnreachable` is called when the server could not be reached or was lost.
 */
export function replaceablePool(open: () => Connections, onUnreachable: () => void) {
  let current = open()
  let running = 0
  const retired = new Set<Connections>()

  function lose(lossy: Connections) {
    if (current !== lossy) return
    current = open()
    retired.add(lossy)
    setTimeout(() => {
      retired.delete(lossy)
      void lossy.end({ timeout: 0 })
    }, retiredMilliseconds).unref()
  }

  /** Sends a statement on the current pool, and again if the driver rejected it, unsent, with the error of an earlier connection. */
  function sentForSure(statement: Statement, builtBy: Connections) {
    withoutHoles(statement)
    const { handler, resolve, reject } = statement
    let used = builtBy
    let isRunning = false
    const end = () => {
      if (isRunning) running--
      isRunning = false
    }
    const send = (query: Statement) => {
      if (!isRunning) running++
      isRunning = true
      used = current
      // It may have waited for its turn while the pool was replaced.
      if (used === builtBy) handler(query)
      else eachStatement(used, (statement) => statement.handler(query)).unsafe('')
    }
    statement.handler = (query) => {
      tellOf(statement)
      send(query)
    }
    statement.resolve = (result) => {
      end()
      resolve(result)
    }
    statement.reject = (error) => {
      if (isUnreachable(error)) onUnreachable()
      if (isLoss(error)) lose(used)
      if (isOfEarlierConnection(error)) return send(statement)
      end()
      // The driver rejects a statement that was cut a second time later, with that very error; it must not be sent again then.
      statement.reject = reject
      reject(error)
    }
  }

  const sql = new Proxy(current, {
    apply: (_first, _this, args: Parameters<Sql>) => sent(current(...args)),
    get: (_first, name: keyof Sql) =>
      name === 'unsafe'
        ? (...args: Parameters<Sql['unsafe']>) => sent(current.unsafe(...args))
        : current[name],
  }) as Sql
  const sent = <Built>(built: Built): Built => {
    if ((built as Partial<Statement>).handler) sentForSure(built as Statement, current)
    return built
  }

  return {
    sql,
    get running() {
      return running
    },
    async begin(work: (inner: postgres.TransactionSql, connection: TransactionConnection) => Promise<void>) {
      const used = current
      let isLost = false
      const connection: TransactionConnection = {
        get isLost() {
          return isLost
        },
        unlessLost: (result) => (isLost ? never() : result),
      }
      running++
      try {
        await used.begin((inner) => work(inner, connection))
      } catch (error) {
        isLost = true
        if (isUnreachable(error)) onUnreachable()
        if (isLoss(error)) lose(used)
        throw error
      } finally {
        running--
      }
    },
    end: () => Promise.all([current, ...retired].map((pool) => pool.end({ timeout: 1 }))),
  }
}

export const never = () => new Promise<never>(() => {})

/** The driver calls a statement's `handler` when it is awaited; names and parts of statements have no handler or are never awaited. */
export interface Statement {
  /** The parts of its text between the values. */
  readonly strings: readonly string[]
  handler(statement: Statement): void
  resolve(result: unknown[]): void
  reject(error: unknown): void
}

/**
 * The driver (3.4.9) does not forget how many rows a statement had sent when it failed: the first row of the connection's next statement
 * comes after that many holes. In a transaction, its rollback comes next.
 */
function withoutHoles(statement: Statement): void {
  const { resolve } = statement
  statement.resolve = (result) => {
    if (result.length > 0 && !(0 in result)) result.splice(0, Number(Object.keys(result)[0]))
    resolve(result)
  }
}

/** The same connections, with something done to each statement before it is sent. */
export function eachStatement(sql: Sql, change: (statement: Statement) => void): Sql {
  const changed = <Built>(built: Built): Built => {
    if ((built as Partial<Statement>).handler) change(built as Statement)
    return built
  }
  return new Proxy(sql, {
    apply: (target, _this, args: Parameters<Sql>) => changed(target(...args)),
    get: (target, name: keyof Sql) =>
      name === 'unsafe'
        ? (...args: Parameters<Sql['unsafe']>) => changed(target.unsafe(...args))
        : target[name],
  })
}

/**
 * When PostgreSQL ends a connection (FATAL), the driver keeps that error and rejects the first statement of the next connection with it,
 * unsent. The error then names the statement that was running when the connection ended.
 */
export const isOfEarlierConnection = (error: unknown): boolean =>
  isFatal(error) && (error as { query?: string }).query !== undefined

const isFatal = (error: unknown): boolean => (error as { severity?: string }).severity === 'FATAL'

const codeIn = (error: unknown): string => errorCode(error) ?? ''

const losses = new Set(['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE'])

/** True if the driver must not use its connections again; a refused connection has never been one. */
const isLoss = (error: unknown): boolean =>
  losses.has(codeIn(error)) ||
  codeIn(error) === 'CONNECT_TIMEOUT' ||
  (isFatal(error) && codeIn(error) !== cannotConnectNow)

const cannotConnectNow = '57P03'

/**
 * The driver rolls failed work back, which ends the process if the connection is lost (porsager/postgres#1208).
 * So work that fails because its connection was lost stays pending; the driver itself rejects its transaction.
 */
export const unlessLost = (error: unknown): Promise<never> =>
  losses.has(codeIn(error)) || isFatal(error) ? never() : Promise.reject(error)
