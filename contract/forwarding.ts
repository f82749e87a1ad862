import type { IncomingHttpHeaders } from 'node:http'

/** A header that only proxies add, if the request has one. */
export function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return Object.keys(headers).find((name) => name.startsWith('x-forwarded-') || others.has(name))
}

const others = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'])
