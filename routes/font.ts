import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { securityHeaders } from './security-headers.ts'

const file = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

/** Serves the web app's font to the pages outside of it; their base.css has this address. */
export function addFont(app: FastifyInstance) {
  const font = readFileSync(fileURLToPath(file))
  const headers = { ...securityHeaders, 'cache-control': 'public, max-age=86400' }
  app.get('/inter.woff2', (_request, reply) => reply.headers(headers).type('font/woff2').send(font))
}
