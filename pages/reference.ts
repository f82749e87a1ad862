import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenapiDocument } from './reference/document.ts'
import { referencePage } from './reference/page.ts'
import { securityHeaders } from './security-headers.ts'

/** One file to the browser; later ones refine earlier ones. */
const styles = ['base', 'frame', 'navigation', 'content', 'tables', 'code']

interface Asset {
  type: string
  content: string
  etag: string
}

/** The description of all operations: `openapi.json` for programs, `docs` for people. */
export function addReference(app: FastifyInstance, base: string, publicUrl?: string) {
  const headers = securityHeaders(publicUrl)
  const json = read('../docs/openapi.json')
  const document: OpenapiDocument = JSON.parse(json)
  const serve = (path: string, asset: () => Asset) =>
    app.get(base + path, (request, reply) => send(request, reply.headers(headers), asset()))
  const serveFile = (path: string, type: string, content: string) => {
    const asset = assetOf(type, content)
    serve(path, () => asset)
  }

  serveFile('/openapi.json', 'application/json', json)
  serveFile(
    '/docs/style.css',
    'text/css',
    styles.map((name) => read(`./reference/style/${name}.css`)).join('\n'),
  )
  serveFile('/docs/script.js', 'text/javascript', read('./reference/script.js'))
  let page: Asset | undefined
  // Made by the first request, since the address is known only once the service listens.
  serve('/docs', () => {
    page ??= assetOf('text/html', referencePage(document, publicUrl ?? app.listeningOrigin))
    return page
  })
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const assetOf = (type: string, content: string): Asset => ({
  type: `${type}; charset=utf-8`,
  content,
  etag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"`,
})

/** `no-cache` keeps a copy but asks each time whether it is still true, so that no page meets the stylesheet of another release. */
function send(request: FastifyRequest, reply: FastifyReply, { type, content, etag }: Asset) {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  // A proxy that compresses weakens the tag to W/"…".
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  return reply.type(type).send(content)
}
