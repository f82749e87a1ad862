import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SharedBody } from '#contract/bodies.ts'
import { acceptedCoding, compressed, isWorthIt } from '#contract/compression.ts'
import { isSmall } from '#contract/unread.ts'
import { guideOf, linksOf } from './guide.ts'
import { type Counting, refuseFileBeyondLimit } from './limited.ts'
import { referencePage } from './reference/page.ts'
import { securityHeaders } from './security-headers.ts'

/** Sent as one file; later ones override earlier ones. */
const styles = ['base', 'frame', 'navigation', 'content', 'tables', 'code']

interface Asset {
  type: string
  content: SharedBody
  etag: string
}

/** The description of all operations: `openapi.json` and `llms.txt` for programs, `docs` for people. */
export function addReference(app: FastifyInstance, base: string, gate: Counting, publicUrl?: string) {
  const headers = securityHeaders
  const json = read('../docs/openapi.json')
  const style = styles.map((name) => read(`./reference/style/${name}.css`)).join('\n')
  const script = read('./reference/script.js')
  /** Created by the first request, because the address is known only once the service listens. */
  const serve = (path: string, type: string, content: () => string) => {
    let asset: Asset | undefined
    app.get(path, (request, reply) => {
      asset ??= assetOf(type, content())
      return send(gate, request, reply.headers(headers), asset)
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

function assetOf(type: string, content: string): Asset {
  const rest = Buffer.from(content)
  return {
    type: `${type}; charset=utf-8`,
    content: { head: '', rest, source: rest, compressed: new Map() },
    etag: `"${hash('sha256', content, 'base64url').slice(0, 22)}"`,
  }
}

/** `no-cache` makes browsers revalidate, so that no page gets the stylesheet of another release. */
async function send(
  gate: Counting,
  request: FastifyRequest,
  reply: FastifyReply,
  { type, content, etag }: Asset,
) {
  // The tag is weak, because all codings share it.
  reply.headers({ etag: `W/${etag}`, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const coding = isWorthIt(content) ? acceptedCoding(request.headers['accept-encoding']) : undefined
  const bytes = coding ? await compressed(content, coding) : content.rest
  if (!isSmall(bytes.length) && (await refuseFileBeyondLimit(gate, request, reply, bytes))) return reply
  if (coding) reply.header('content-encoding', coding)
  return reply.type(type).send(bytes)
}
