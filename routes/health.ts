import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { codeOf, type Database, diskFull } from '#database/connect.ts'
import { type Counting, limited } from './limited.ts'

/** How long a write that found no space counts. */
const fullMilliseconds = 30_000

/** A database that hangs accepts statements and never answers. */
const patienceMilliseconds = 4000

/** The codes of a 503 of `health/ready`. */
export const notReady = {
  service_ending: 'the service is ending',
  database_unavailable: 'the database does not answer',
  database_read_only: 'the database is read-only',
  database_full: 'the database has no space left for some writes',
}

/**
 * Live: the process answers. Ready: the database answers too (it was migrated before the service listened) and can be written, and the
 * service is not about to end.
 */
export function addHealth(
  app: FastifyInstance,
  base: string,
  db: Database,
  gate: Counting,
  { isClosing }: { isClosing(): boolean },
) {
  let fullUntil = 0
  async function readIsReadOnly() {
    const [row] = await db.sql<{ is_read_only: boolean }[]>`
      select current_setting('transaction_read_only')::boolean as is_read_only from schema_migrations limit 1`
    return { isReadOnly: row?.is_read_only ?? false }
  }
  async function problem(): Promise<keyof typeof notReady | undefined> {
    if (isClosing()) return 'service_ending'
    const known = await Promise.race([
      readIsReadOnly().catch(() => undefined),
      delay(patienceMilliseconds, undefined, { ref: false }),
    ])
    if (known === undefined) return 'database_unavailable'
    if (known.isReadOnly) return 'database_read_only'
    return performance.now() < fullUntil ? 'database_full' : undefined
  }

  app.get(`${base}/health/live`, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  )
  // It takes a connection that identifies callers.
  app.get(`${base}/health/ready`, { onRequest: limited(gate, 'ready') }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const code = await problem()
    if (code === undefined) return reply.send({ status: 'ready' })
    return reply.code(503).header('x-error-code', code).send({ status: notReady[code] })
  })
  return {
    /** Hears of the error of an answer: what other writes found is cheaper to know than to try. */
    note(error: unknown) {
      if (codeOf(error) === diskFull) fullUntil = performance.now() + fullMilliseconds
    },
  }
}
