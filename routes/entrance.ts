// What every request passes before its route: the connections of its address, the name by which it calls the service, and the
// proxies it came through.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest, FastifyServerFactory } from 'fastify'
import type { Config } from '#config.ts'
import { fail } from '#contract/failure.ts'
import { forwardingHeader } from '#contract/forwarding.ts'
import type { Description } from '#contract/operation.ts'
import { addressKey } from '#contract/rate-limit.ts'
import type { Log } from '../log.ts'
import { type Counting, refuseBeyondLimit } from './limited.ts'
import { headersOfAll } from './security-headers.ts'

type Settings = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts' | 'trustedProxies'>

/** Refuses requests for other host names, because a website could let its own name lead here and so read what only this machine may read. */
export function guardEntrance(
  app: FastifyInstance,
  settings: Settings,
  gate: () => Counting,
  { operationAt, log }: { operationAt(path: string): Description | undefined; log: Log },
) {
  const isAllowed = allowedNames(settings)
  const always = Object.entries(headersOfAll(settings))
  const isTrusted = trustedBy(settings)
  const watchProxies = proxyWatcher(isTrusted, log)
  let hasWarned = false
  app.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of always) reply.raw.setHeader(name, value)
    watchProxies(request)
    const host = hostsOf(request.raw).find((name) => !isAllowed(name))
    if (host === undefined) return done()
    if (!hasWarned)
      log.warn({ host }, 'refused a host name; allow it with CARDINAL_ALLOWED_HOSTS if people use it')
    hasWarned = true
    log.info(
      { host: host.slice(0, 200), address: request.ip, status: 400, code: 'host_not_allowed' },
      'answered',
    )
    // Some operations have other keys in this body than the usual ones.
    const operation = operationAt(request.url.split('?')[0] as string)
    const failure = fail(400, 'host_not_allowed')
    void refuseBeyondLimit(gate(), 'address', request, reply, { otherwise: { failure, operation } })
  })
}

/** All that were sent: Node heeds the first, and a proxy may heed another. The empty name is allowed nowhere. */
function hostsOf({ rawHeaders, httpVersion }: IncomingMessage): string[] {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  // Only programs that speak HTTP/1.0, such as health checks, may leave it out, and no name can mislead them.
  return hosts.length === 0 && httpVersion !== '1.0' ? [''] : hosts
}

/** More than all event streams of an instance, which may come from one office or through a proxy that is not trusted. */
const mostConnections = 2500
/** Requests that a connection may send before the first is answered; browsers and usual clients send one. */
const mostRequestsAtOnce = 32
/** The same for an address that has just sent more, and from which no body in chunks is read meanwhile: still enough for browsers. */
const mostWhileHasty = 2
const hastyMilliseconds = 5000
/** Chunks of a body that may be smaller than this on average; clients that send a body in chunks send kilobytes at once. */
const mostCrumbs = 256
const crumbBytes = 64

/**
 * The server, which limits the connections of each address: each holds memory before a request is complete and counted (10,000 with half of
 * their headers took 300 MB). And all requests that come at once are handled before anything else, so that 20,000 of them, 720 kB, kept
 * everybody waiting for two seconds: such a connection is closed, and all others of its address may send little at once for a moment. So is one
 * that sends a body in very small chunks. The address is not shut out, because whole offices and mobile networks share one.
 */
export function limitedServer(settings: Settings, log: Log): FastifyServerFactory {
  const isTrusted = trustedBy(settings)
  const counts = new Map<string, number>()
  const hasty = new Set<string>()
  const unanswered = new WeakMap<Socket, number>()
  let hasWarned = false
  const warn = (address: string, limits: { connections: number } | { requestsAtOnce: number }) => {
    if (!hasWarned) log.warn({ address, ...limits }, 'closed connections')
    hasWarned = true
  }
  const isHasty = ({ remoteAddress: address }: Socket) =>
    hasty.size > 0 && address !== undefined && hasty.has(addressKey(address))
  const count = (socket: Socket, by: 1 | -1) => {
    const now = (unanswered.get(socket) ?? 0) + by
    unanswered.set(socket, now)
    return now
  }

  function onConnection(socket: Socket) {
    readNoMoreOnceClosed(socket)
    const address = socket.remoteAddress
    if (address === undefined || isTrusted(address)) return
    const key = addressKey(address)
    const connections = (counts.get(key) ?? 0) + 1
    if (connections > mostConnections) warn(address, { connections: mostConnections })
    if (connections > mostConnections) return void socket.destroy()
    counts.set(key, connections)
    socket.once('close', () => {
      const left = (counts.get(key) as number) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    })
  }

  function closeHasty(socket: Socket) {
    const { remoteAddress: address } = socket
    socket.destroy()
    if (address === undefined || isTrusted(address)) return
    warn(address, { requestsAtOnce: mostRequestsAtOnce })
    const key = addressKey(address)
    if (hasty.has(key)) return
    hasty.add(key)
    setTimeout(() => hasty.delete(key), hastyMilliseconds).unref()
  }

  return (handle, { keepAliveTimeout, requestTimeout }) => {
    const take = (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      // What came with the request that was one too many, or after one whose answer ends the connection.
      if (!socket.writable) return
      const wasHasty = isHasty(socket)
      const isChunked = request.headers['transfer-encoding'] !== undefined
      if (count(socket, 1) > (wasHasty ? mostWhileHasty : mostRequestsAtOnce) || (wasHasty && isChunked))
        return closeHasty(socket)
      if (isChunked) refuseCrumbs(request, () => closeHasty(socket))
      response.once('close', () => count(socket, -1))
      handle(request, response)
    }
    // Node itself would answer requests that name no host or expect something unknown, without a code, uncounted, and all at once.
    const server = createServer({ requireHostHeader: false }, take).on('checkExpectation', take)
    return Object.assign(server, { keepAliveTimeout, requestTimeout }).on('connection', onConnection)
  }
}

/** Node does so much for each chunk of a body that 64 kB in chunks of one byte, as they are read at once, took a third of a second. */
function refuseCrumbs(request: IncomingMessage, close: () => void) {
  const push = request.push.bind(request)
  let chunks = 0
  let bytes = 0
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding)
    bytes += chunk.length
    if (++chunks <= mostCrumbs || bytes >= chunks * crumbBytes) return push(chunk, encoding)
    if (!request.socket.destroyed) close()
    return false
  }
}

interface Parser {
  onIncoming(request: IncomingMessage, keepsAlive: boolean): number
}

/**
 * Makes the parser take what follows a request that closed its connection for the end of HTTP. Otherwise it reads on through up to 64 kB
 * that have arrived, with an event for each chunk of a body, and an error with its stack for each request: 2,500 took 0.3 s. Node has no
 * documented way to do this.
 */
function readNoMoreOnceClosed(socket: Socket & { parser?: Parser }) {
  const endsHttp = 2
  const { parser } = socket
  if (!parser) return
  const take = parser.onIncoming
  parser.onIncoming = (request, keepsAlive) => {
    const usual = take(request, keepsAlive)
    return socket.destroyed ? endsHttp : usual
  }
}

function trustedBy({ trustedProxies }: Settings): (address: string) => boolean {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (address) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Warns once, because all clients of a proxy that is not trusted share one address, and so one rate limit. */
function proxyWatcher(isTrusted: (address: string) => boolean, log: Log) {
  let hasWarned = false
  return ({ headers, socket }: FastifyRequest) => {
    if (hasWarned) return
    const header = forwardingHeader(headers)
    const proxy = socket.remoteAddress
    if (header === undefined || proxy === undefined || isTrusted(proxy)) return
    hasWarned = true
    log.warn(
      { proxy, header },
      'requests come through a proxy that is not trusted, so all its clients share one rate limit; set CARDINAL_TRUSTED_PROXIES',
    )
  }
}

function allowedNames({ host, publicUrl, allowedHosts }: Settings): (host: string) => boolean {
  const names = new Set(allowedHosts)
  names.add(host.toLowerCase())
  if (publicUrl !== undefined) names.add(new URL(publicUrl).hostname)
  return (host) => {
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.+)\]$/, '$1')
      .replace(/\.$/, '')
    return isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || names.has(name)
  }
}
