import type { FastifyInstance } from 'fastify'
import { admit, type Gate } from '#contract/admission.ts'
import { FastifyExchange } from '#contract/exchange.ts'
import { fail } from '#contract/failure.ts'
import { refusalOf } from '#contract/refusal.ts'
import type { Database } from '#database/connect.ts'
import type { Caller } from '#identity/caller.ts'
import { photosPath, readPhoto } from '#identity/photos.ts'
import type { Log } from '../log.ts'

/** It is shown as a picture and as nothing else, and only by our own pages. Another photo has another address, so browsers keep it. */
const headers = {
  'content-type': 'image/jpeg',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, max-age=31536000, immutable',
}

/** The photos of people, for everyone who is signed in and knows the address. */
export function addPhotos(
  app: FastifyInstance,
  readFor: (caller: Caller, http: FastifyExchange) => Promise<Database>,
  gate: Gate<Caller>,
  log: Log,
) {
  app.get(`${photosPath}/:key`, async (request, reply) => {
    const http = new FastifyExchange(request, reply, gate)
    try {
      const { caller, problem } = await admit(gate, http, undefined, () => ({}))
      if (problem) throw problem
      if (!caller) throw fail(401, 'unauthenticated')
      const { key } = request.params as { key: string }
      const photo = await readPhoto(await readFor(caller, http), key)
      if (!photo) throw fail(404, 'address_not_found')
      return reply.headers(headers).send(photo)
    } catch (error) {
      const { status, body, cause } = refusalOf(error, http)
      if (cause) log.error({ requestId: http.requestId, error: cause }, 'failed')
      return http.answer(status, body)
    }
  })
}
