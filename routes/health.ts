import type { FastifyInstance } from 'fastify'
import type { Database } from '#database/connect.ts'
import { type Counting, limited } from './limited.ts'

/**
 * Live: the process answers. Ready: the database answers too (it was migrated before the service listened), and the service is not about
 * to end.
 */
export function addHealth(
  app: FastifyInstance,
  base: string,
  db: Database,
  gate: Counting,
  { isClosing }: { isClosing(): boolean },
) {
  app.get(`${base}/health/live`, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  )
  // It takes a connection that identifies callers.
  app.get(`${base}/health/ready`, { onRequest: limited(gate, 'ready') }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isClosing())
      return reply
        .code(503)
        .header('x-error-code', 'service_ending')
        .send({ status: 'the service is ending' })
    try {
      await db.sql`select name from schema_migrations limit 1`
      return reply.send({ status: 'ready' })
    } catch {
      return reply
        .code(503)
        .header('x-error-code', 'database_unavailable')
        .send({ status: 'the database does not answer' })
    }
  })
}
