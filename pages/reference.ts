import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const document = new URL('../docs/openapi.json', import.meta.url)

/** The description of all operations, for programs. */
export function addReference(app: FastifyInstance, base: string) {
  const json = readFileSync(document, 'utf8')
  app.get(`${base}/openapi.json`, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(json),
  )
}
