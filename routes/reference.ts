import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guideOf, linksOf } from './guide.ts'
import { referencePage } from './reference/page.ts'
import { securityHeaders } from './security-headers.ts'

/** Sent as one file; later ones override earlier ones. */
const styles = ['base', 'frame', 'navigation', 'content', 'tables', 'code']

interface Asset {
  type: string
  /** A buffer, so that all responses share it. */
  content: Buffer
  etag: string
}

/** The description of all operations: `openapi.json` and `llms.txt` for programs, `docs` for people. */
export function addReference(app: FastifyInstance, base: string, publicUrl?: string) {
  const headers = securityHeaders
  const json = read('../docs/openapi.json')
  const style = styles.map((name) => read(`./reference/style/${name}.css`)).join('\n')
  const script = read('./reference/script.js')
  /** Created by the first request, because the address is known only once the service listens. */
  const serve = (path: string, type: string, content: () => string) => {
    let asset: Asset | undefined
    app.get(path, (request, reply) => {
      asset ??= assetOf(type, content())
      return send(request, reply.headers(headers), asset)
    })
  }

  const origin = () => publicUrl ?? app.listeningOrigin
  serve(`${base}/openapi.json`, 'application/json', () => json)
  serve(`${base}/docs/style.css`, 'text/css', () => style)
  serve(`${base}/docs/script.js`, 'text/javascript', () => script)
  serve(`${base}/docs`, 'text/html', () => referencePage(JSON.parse(json), origin()))
  serve('/llms.txt', 'text/plain', () => guideOf(origin(), base))
  for (const path of [base, `${base}/`])
    serve(path, 'application/json', () =>
      JSON.stringify({
        error: false,
        message: 'Every operation is called with POST; the reference lists them.',
        data: linksOf(origin(), base),
      }),
    )
  // Where programs look for them.
  for (const path of ['/openapi.json', '/docs', '/docs/'])
    app.get(path, (_request, reply) => reply.headers(headers).redirect(base + path.replace(/\/$/, '')))
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const assetOf = (type: string, content: string): Asset => ({
  type: `${type}; charset=utf-8`,
  content: Buffer.from(content),
  etag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"`,
})

/** `no-cache` makes browsers revalidate, so that no page gets the stylesheet of another release. */
function send(request: FastifyRequest, reply: FastifyReply, { type, content, etag }: Asset) {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  // A proxy that compresses weakens the tag to W/"…".
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(content)
}
