import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from '#contract/compression.ts'
import { type Language, languages } from '#languages/known.ts'
import { languageOf } from './language.ts'
import { type Counting, refuseFileBeyondLimit } from './limited.ts'
import { headersOf, securityHeaders } from './security-headers.ts'

/** The app is built once for each language. */
const folder = path.join(import.meta.dirname, '../web/dist')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
}

interface BuiltFile {
  type: string
  etag: string
  /** The name contains a hash of the content, so browsers can cache it forever. */
  isImmutable: boolean
  /** By content coding; the files are few and small, so they stay in memory. */
  codings: { identity: Buffer; br?: Buffer; gzip?: Buffer }
}

interface App {
  files: ReadonlyMap<string, BuiltFile>
  pages: ReadonlyMap<Language, { file: BuiltFile; headers: typeof securityHeaders }>
}

/** Read once for all services of a process; tests start many. */
let app: App | undefined

function readApp(): App {
  const files = new Map<string, BuiltFile>()
  const pages = new Map<Language, { file: BuiltFile; headers: typeof securityHeaders }>()
  for (const language of languages)
    for (const [name, file] of readBuilt(language))
      if (name === '/index.html')
        pages.set(language, { file, headers: headersOf(file.codings.identity.toString()) })
      // A file that two languages have has the same content in both.
      else files.set(name, file)
  return { files, pages }
}

/** Serves the built web app: its files, and its page at every other address without a route. */
export function webApp(gate: Counting) {
  app ??= readApp()
  const { files, pages } = app
  /** Answers requests without a route, because only the app knows its addresses, and a route for each file would slow every start. */
  return (request: FastifyRequest, reply: FastifyReply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const file = isRead && files.get(request.url.split('?')[0] as string)
    if (file) return send(gate, request, reply.headers(securityHeaders), file)
    if (!isRead || request.url.startsWith('/assets/'))
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found.\n')
    const page = pages.get(languageOf(request))
    if (!page)
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The web app is not built; npm start builds it.\n')
    reply.header('vary', 'accept-language, cookie')
    return send(gate, request, reply.headers(page.headers), page.file)
  }
}

/** Larger than any file of the first page as browsers accept it, because a usual page load is never refused. */
const isLarge = ({ length }: Buffer) => length > 256 * 1024

async function send(
  gate: Counting,
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, isImmutable, codings }: BuiltFile,
) {
  reply.headers({
    // Weak, because all codings of a file share it.
    etag: `W/${etag}`,
    vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
    'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const coding = acceptedCoding(request.headers['accept-encoding'], (name) => codings[name] !== undefined)
  const bytes = codings[coding ?? 'identity'] as Buffer
  if (isLarge(bytes) && (await refuseFileBeyondLimit(gate, request, reply, bytes))) return reply
  if (coding) reply.header('content-encoding', coding)
  return reply.type(type).send(bytes)
}

function readBuilt(language: Language): Map<string, BuiltFile> {
  const names = listed(path.join(folder, language))
  const read = (name: string) => readFileSync(path.join(folder, language, name))
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = types[path.extname(name)]
    if (type === undefined) continue
    const identity = read(name)
    files.set(`/${name}`, {
      type,
      etag: `"${hash('sha256', identity, 'base64url').slice(0, 22)}"`,
      isImmutable: name.startsWith('assets/'),
      codings: {
        identity,
        ...(names.has(`${name}.br`) && { br: read(`${name}.br`) }),
        ...(names.has(`${name}.gz`) && { gzip: read(`${name}.gz`) }),
      },
    })
  }
  return files
}

function listed(folder: string): Set<string> {
  try {
    const entries = readdirSync(folder, { recursive: true }) as string[]
    return new Set(entries.map((name) => name.split(path.sep).join('/')))
  } catch {
    return new Set()
  }
}
