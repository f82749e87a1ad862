import type { ServerResponse } from 'node:http'
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

/** Characters that are sent together, because each part waits for a turn of the event loop. */
const charactersAtOnce = 32 * 1024

/** The export of a person's own data, one at a time for each person. */
export function addMyData(
  app: FastifyInstance,
  readFor: (caller: Caller, http: FastifyExchange) => Promise<Database>,
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
      try {
        await send(myData(await readFor(caller, http), caller.id), http, gate)
      } finally {
        running.delete(caller.id)
      }
    } catch (error) {
      const { status, body, cause } = refusalOf(error, http)
      if (cause) log.error({ requestId: http.requestId, error: cause }, 'failed')
      if (!reply.raw.headersSent) return http.answer(status, body)
      // Half of a file must not look like the whole.
      reply.raw.destroy()
    }
    return reply
  })
}

/** The response begins with its first part, so that a read that fails before it is answered with a status. */
async function send(texts: AsyncIterable<string>, http: FastifyExchange, { unread }: Gate<Caller>) {
  let part = ''
  let raw: ServerResponse | undefined
  for await (const text of texts) {
    part += text
    if (part.length < charactersAtOnce) continue
    raw ??= begin(http)
    const bytes = Buffer.from(part)
    part = ''
    await unread.pace(http.reader, bytes.length)
    if (http.isGone) return
    if (!raw.write(bytes)) await drained(raw, http)
    if (http.isGone) return
  }
  raw ??= begin(http)
  raw.end(part)
  http.holds(raw)
}

function begin(http: FastifyExchange): ServerResponse {
  http.answerHeader('content-disposition', 'attachment; filename="my-data.json"')
  const raw = http.begin('application/json; charset=utf-8')
  // Without a listener, a connection error would end the process.
  raw.on('error', () => raw.destroy())
  return raw
}

/** Resolves when the client has taken what was written, or hung up. It counts as unread meanwhile. */
function drained(raw: ServerResponse, http: FastifyExchange): Promise<void> {
  http.holds(raw)
  return new Promise((resolve) => {
    const end = () => {
      raw.off('drain', end)
      ignore()
      http.holds(raw)
      resolve()
    }
    const ignore = http.onGone(end)
    raw.once('drain', end)
  })
}
