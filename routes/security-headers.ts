import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notAPage } from '#contract/exchange.ts'

const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of every HTML page and its files; entrance.ts adds those of every answer. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** The headers of a page that has scripts and styles of its own: these are allowed by their hashes, and no others. */
export function headersOf(page: string): typeof securityHeaders {
  const hashes = (element: string) =>
    [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))]
      .map(([, content = '']) => ` 'sha256-${hash('sha256', content, 'base64')}'`)
      .join('')
  const policy = contentSecurityPolicy
    .replace("style-src 'self'", (allowed) => allowed + hashes('style'))
    .replace("script-src 'self'", (allowed) => allowed + hashes('script'))
  return { ...securityHeaders, 'content-security-policy': policy }
}

/** The headers of every answer of the service: over https, browsers are told to insist on it. */
export const headersOfAll = ({ publicUrl }: { publicUrl?: string | undefined }): Record<string, string> =>
  publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}

const usualHeaders = {
  'content-security-policy': notAPage,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** For what is neither a page nor an operation, such as metrics and refusals in plain text. */
export function addUsualHeaders(app: FastifyInstance) {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('content-security-policy')) reply.headers(usualHeaders)
    done()
  })
}
