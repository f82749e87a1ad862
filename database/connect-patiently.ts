// Opens the first connection of a start or a command, when the machine may be slow or the database still starting.
import { setTimeout as delay } from 'node:timers/promises'
import { StartFailure } from '../start-failure.ts'
import { codeOf, connect, type Database } from './connect.ts'
import type { DatabaseAddress } from './embedded.ts'

export interface Patience {
  /** How long to try in total. */
  seconds?: number
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
export async function connectPatiently(
  address: DatabaseAddress | string,
  { seconds = 60, signal, onWait }: Patience = {},
): Promise<Database> {
  const startedAt = performance.now()
  const leftSeconds = () => seconds - (performance.now() - startedAt) / 1000
  let tell = onWait
  for (let limit = firstLimitSeconds; ; limit = Math.min(limit * 2, longestLimitSeconds)) {
    const connectSeconds = Math.min(limit, Math.max(leftSeconds(), 0.1))
    const db = connect(address, { connections: 1, connectSeconds })
    const failure = await failureOf(db, connectSeconds, signal)
    if (!failure) return db
    // Not awaited, because it may take as long as the attempt.
    void db.end()
    signal?.throwIfAborted()
    if (!isUnreachable(failure))
      throw new StartFailure(`Cannot use the ${nameOf(address)}: ${reasonOf(failure)}.`)
    if (leftSeconds() <= 0)
      throw new StartFailure(
        `The ${nameOf(address)} did not answer within ${seconds} seconds: ${reasonOf(failure)}. Check that PostgreSQL is running and can be reached from here.`,
      )
    if (performance.now() - startedAt > silentMilliseconds) {
      tell?.(`Waiting for the ${nameOf(address)}: ${reasonOf(failure)}.`)
      tell = undefined
    }
    await delay(pauseMilliseconds, undefined, { ...(signal && { signal }) }).catch(() => {})
    signal?.throwIfAborted()
  }
}

/** The error if the database does not answer. */
async function failureOf(db: Database, limitSeconds: number, signal?: AbortSignal): Promise<unknown> {
  const over = new AbortController()
  const signals = [over.signal, ...(signal ? [signal] : [])]
  // The driver retries forever if connections are accepted and closed at once, as proxies do.
  const limit = delay(limitSeconds * 1000 + 500, timedOut, { signal: AbortSignal.any(signals) })
  const answer = db.sql`select 1`.then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    return await Promise.race([answer, limit])
  } catch (aborted) {
    return aborted
  } finally {
    over.abort()
    limit.catch(() => {})
  }
}

const timedOut = Object.assign(new Error('no answer'), { code: 'CONNECT_TIMEOUT' })

const unreachable = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // A unix socket that does not exist yet.
  'ENOENT',
  // PostgreSQL is starting or stopping, or all its connections are taken.
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** True if the same statement may succeed later. */
export const isUnreachable = (error: unknown): boolean => unreachable.has(codeOf(error))

const reasonOf = (error: unknown): string =>
  codeOf(error) === 'CONNECT_TIMEOUT' ? 'no answer' : (error as Error).message || codeOf(error)

/** The address without its password. */
function nameOf(address: DatabaseAddress | string): string {
  if (typeof address !== 'string') return 'embedded PostgreSQL'
  const { host, pathname } = new URL(address)
  return `database of DATABASE_URL (${host}${pathname})`
}
