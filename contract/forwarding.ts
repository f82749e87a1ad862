import type { IncomingHttpHeaders } from 'node:http'

/** A header that only proxies add, if the request has one. */
export function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return Object.keys(headers).find((name) => forwarding.test(name))
}

/** Those of the usual proxies and content delivery networks, most by their common beginnings and ends. */
const forwarding =
  /^(forwarded|forwarded-for|x-forwarded|via|cdn-loop|(x-forwarded|x-original|x-envoy|x-amzn|x-azure|x-appengine|x-nf|x-vercel|x-arr|cf|fastly|fly|akamai)-.+|.*(client|connecting|real|proxyuser)-?ip)$/
