import type { FastifyInstance } from 'fastify'
import { addressKey } from '#contract/rate-limit.ts'
import type { Unread } from '#contract/unread.ts'
import { sayIn, speechOf } from '#languages/speech.ts'
import { languageOf } from './language.ts'

/** Unread pages count like responses of operations, per IP address; a client that reads none gets no more. */
export function holdPages(app: FastifyInstance, unread: Unread) {
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : ''
    const bytes = Buffer.byteLength(body)
    const reader = `address:${addressKey(request.ip ?? 'gone')}`
    if (!unread.hasRoom(reader, bytes)) {
      reply.code(429).removeHeader('content-length').header('retry-after', unread.retrySeconds)
      const say = sayIn(speechOf(languageOf(request)))
      return done(null, `${say('Too Many Attempts.')}\n`)
    }
    done(null, payload)
    if (reply.raw.writableLength > 0)
      unread.hold(reply.raw, reader, bytes, typeof body === 'string' ? undefined : body)
  })
}
