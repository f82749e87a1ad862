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

/** The headers of every HTML page and its files; entrance.ts adds the one that insists on https. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

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
