import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import type { Gate } from './admission.ts'
import { parserFailures, usual } from './failure.ts'
import { addressKey, type Count } from './rate-limit.ts'

/** The statuses of the parser's errors; all others are a 400. */
const statuses: Record<string, keyof typeof parserFailures> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** A client that is still sending gets this long to read the answer before the connection closes. */
const lingerMilliseconds = 1000

/** Answers requests that the HTTP parser refuses, which reach no handler, in the usual envelope; they count for the address. */
export function unparsableAnswerer(gate: () => Pick<Gate, 'count' | 'limits'>) {
  // The parser refuses what follows on the same connection again.
  const answered = new WeakSet<Socket>()
  return async ({ code }: ConnectionError, socket: Socket) => {
    if (answered.has(socket)) return
    answered.add(socket)
    // The client has hung up, which is no request.
    if (!socket.writable) return void socket.destroy()
    const { count, limits } = gate()
    const counted = await count(`address:${addressKey(socket.remoteAddress ?? 'gone')}`, limits.perAddress)
    socket.end(counted.retryAfterSeconds === undefined ? refusal(code, counted) : tooMany(counted))
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
}

function refusal(code: string, counted: Count): string {
  const status = statuses[code] ?? 400
  const [[reason, message]] = Object.entries(parserFailures[status]) as [[string, string]]
  return answerOf(status, [`x-error-code: ${reason}`], counted, { error: true, message, data: [] })
}

function tooMany(counted: Count): string {
  const headers = ['x-error-code: rate_limited', `retry-after: ${counted.retryAfterSeconds}`]
  return answerOf(429, headers, counted, {
    error: true,
    message: usual[429].rate_limited,
  })
}

function answerOf(status: number, headers: string[], { limit, remaining }: Count, content: object): string {
  const body = JSON.stringify(content)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${randomUUID()}`,
    `x-ratelimit-limit: ${limit}`,
    `x-ratelimit-remaining: ${remaining}`,
    ...headers,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
