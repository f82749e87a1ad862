import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { admit, type Gate } from '#contract/admission.ts'
import { FastifyExchange } from '#contract/exchange.ts'
import { busy, fail } from '#contract/failure.ts'
import { refusalOf } from '#contract/refusal.ts'
import type { Database } from '#database/connect.ts'
import type { Caller } from '#identity/caller.ts'
import { myData } from '#projects/my-data.ts'
import type { Log } from '../log.ts'

const retrySeconds = 10

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': 'attachment; filename="my-data.json"',
  'cache-control': 'no-store',
}

/** The export of a person's own data, one at a time for each person. */
export function addMyData(
  app: FastifyInstance,
  databaseToRead: () => Promise<Database>,
  gate: Gate<Caller>,
  log: Log,
) {
  const running = new Set<number>()
  app.get('/my-data', async (request, reply) => {
    const http = new FastifyExchange(request, reply, gate)
    try {
      const { caller, problem } = await admit(gate, http, undefined, () => ({}))
      if (problem) throw problem
      if (!caller) throw fail(401, 'unauthenticated')
      if (running.has(caller.id)) throw busy(retrySeconds)
      running.add(caller.id)
      const data = Readable.from(myData(await databaseToRead(), caller.id))
      data.once('close', () => running.delete(caller.id))
      data.once('error', (error) => log.error({ requestId: http.requestId, error }, 'failed'))
      return reply.headers(headers).send(data)
    } catch (error) {
      const { status, body, cause } = refusalOf(error, http)
      if (cause) log.error({ requestId: http.requestId, error: cause }, 'failed')
      return http.answer(status, body)
    }
  })
}
