// Looks whether a web address answers, without ever reaching into the network that Cardinal runs in: each address is judged
// before it is connected to, redirects included, and the connection goes to the very address that was judged.
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Finding, FindingCode } from '#events/finding.ts'

export interface LookOptions {
  /** Whether an IP address may be connected to. */
  allows(address: string): boolean
  /** Unset: those of the system. */
  nameServers?: string[]
  signal: AbortSignal
}

interface Seen {
  passed: boolean
  detail: Finding
}

// Findings say the first and the last of these numbers.
const limitMilliseconds = 5_000
const mostBytes = 65_536
const mostRedirects = 5

const privateRanges = ['unicast', 'private', 'loopback', 'uniqueLocal', 'carrierGradeNat']

/** All public IPv6 addresses; `::7f00:1`, which is `::127.0.0.1`, and others outside of it have no range of their own either. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3')

/** The other forms of an IPv4 address inside an IPv6 one have ranges of their own, so only plain public addresses are `unicast`. */
function rangeOf(address: string): string {
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  return range === 'unicast' && parsed.kind() === 'ipv6' && !parsed.match(publicIpv6) ? 'not public' : range
}

/** Multicast, link-local and reserved addresses are never allowed; cloud providers have their credentials at 169.254.169.254. */
export const allowedAddresses =
  ({ allowsPrivate }: { allowsPrivate: boolean }) =>
  (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const range = rangeOf(address)
    return allowsPrivate ? privateRanges.includes(range) : range === 'unicast'
  }

/** Why nothing was asked of an address. */
class Refused extends Error {
  readonly finding: FindingCode
  constructor(finding: FindingCode) {
    super(finding)
    this.finding = finding
  }
}

/** Passes if the address, or the one it leads to, answers 200 with a body. Throws only if the signal is aborted. */
export async function look(address: string, options: LookOptions): Promise<Seen> {
  const timeout = AbortSignal.timeout(limitMilliseconds)
  const signal = AbortSignal.any([timeout, options.signal])
  try {
    const status = await follow(new URL(address), { ...options, signal })
    return { passed: status === 200, detail: { code: 'answered', status } }
  } catch (error) {
    options.signal.throwIfAborted()
    return { passed: false, detail: timeout.aborted ? { code: 'no_answer_in_time' } : whyNot(error) }
  }
}

function whyNot(error: unknown): Finding {
  if (error instanceof Refused) return { code: error.finding }
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? { code: 'no_connection' } : { code: 'connection_failed', error: code }
}

async function follow(first: URL, options: LookOptions): Promise<number> {
  let url = first
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await ask(url, await judgedAddresses(url, options), options.signal)
    const { statusCode = 0, headers } = response
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
      await receive(response)
      return statusCode
    }
    response.destroy()
    if (!URL.canParse(headers.location, url.href)) throw new Refused('redirects_to_no_address')
    url = new URL(headers.location, url.href)
  }
  throw new Refused('redirects_too_often')
}

interface Address {
  address: string
  family: 4 | 6
}

/** The IP addresses of a host; if one of them is not allowed, none is used. */
async function judgedAddresses(url: URL, options: LookOptions): Promise<Address[]> {
  if (!/^https?:$/.test(url.protocol)) throw new Refused('not_a_website')
  if (url.username !== '' || url.password !== '') throw new Refused('has_credentials')
  // Other services listen on the low ports, and some obey lines of a request.
  if (!['', '80', '443'].includes(url.port) && Number(url.port) < 1024)
    throw new Refused('not_a_website_port')
  // The URL standard has turned decimal, octal and short forms into four plain numbers already.
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const addresses = isIP(host) === 0 ? await resolve(host, options) : [host]
  if (addresses.length === 0) throw new Refused('no_such_host')
  if (!addresses.every(options.allows)) throw new Refused('address_not_allowed')
  return addresses.map((address) => ({ address, family: isIP(address) as 4 | 6 }))
}

/** Not the system's lookup, because it would block one of the few threads that also read files. */
async function resolve(host: string, { nameServers, signal }: LookOptions): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    signal.throwIfAborted()
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function ask(url: URL, addresses: Address[], signal: AbortSignal): Promise<IncomingMessage> {
  const [first] = addresses as [Address]
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, addresses) : callback(null, first.address, first.family)
  const { request } = url.protocol === 'https:' ? https : http
  const headers = { 'user-agent': 'Cardinal (checks whether this address answers)', accept: '*/*' }
  // An agent of its own, so that no connection is used twice and no proxy of the environment is asked.
  const asking = request(url, { method: 'GET', agent: false, lookup, headers, signal })
  // What happens to it later is told by the response.
  asking.on('error', () => {})
  asking.end()
  const [response] = await once(asking, 'response', { signal })
  return response as IncomingMessage
}

/** A page that stops in the middle has not answered; one that is long has. */
async function receive(response: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes >= mostBytes) break
  }
}
