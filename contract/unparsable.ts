import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import type { Gate } from './admission.ts'
import { headersOfAnswer } from './exchange.ts'
import { parserFailures, usual } from './failure.ts'
import { addressKey, type Count } from './rate-limit.ts'

/** The statuses of the parser's errors; all others are a 400. */
const statuses: Record<string, keyof typeof parserFailures> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** A client that is still sending gets this long to read the answer before the connection closes. */
const lingerMilliseconds = 1000

/**
 * Answers requests that the HTTP parser refuses, which reach no handler, in the usual envelope and with the headers of all answers of the
 * service; they count for the address.
 */
export function unparsableAnswerer(
  gate: () => Pick<Gate, 'count' | 'limits'>,
  headersOfAll: Readonly<Record<string, string>>,
) {
  const alike = lines(Object.entries(headersOfAll).flat())
  // The parser refuses what follows on the same connection again.
  const answered = new WeakSet<Socket>()
  return async ({ code }: ConnectionError, socket: Socket) => {
    if (answered.has(socket)) return
    answered.add(socket)
    // The client has hung up, which is no request.
    if (!socket.writable) return void socket.destroy()
    const { count, limits } = gate()
    const counted = await count(`address:${addressKey(socket.remoteAddress ?? 'gone')}`, limits.perAddress)
    socket.end(
      counted.retryAfterSeconds === undefined ? refusal(code, counted, alike) : tooMany(counted, alike),
    )
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
}

function refusal(code: string, counted: Count, headers: string[]): string {
  const status = statuses[code] ?? 400
  const [[reason, message]] = Object.entries(parserFailures[status]) as [[string, string]]
  const content = { error: true, message, data: [] }
  return answerOf(status, [...headers, `x-error-code: ${reason}`], counted, content)
}

function tooMany(counted: Count, headers: string[]): string {
  const own = ['x-error-code: rate_limited', `retry-after: ${counted.retryAfterSeconds}`]
  const content = { error: true, message: usual[429].rate_limited }
  return answerOf(429, [...headers, ...own], counted, content)
}

function answerOf(status: number, headers: string[], { limit, remaining }: Count, content: object): string {
  const body = JSON.stringify(content)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines(headersOfAnswer(randomUUID())),
    `content-length: ${Buffer.byteLength(body)}`,
    `x-ratelimit-limit: ${limit}`,
    `x-ratelimit-remaining: ${remaining}`,
    ...headers,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Of names and values in turn. */
const lines = (headers: string[]) =>
  headers.flatMap((value, index) => (index % 2 === 1 ? [`${headers[index - 1]}: ${value}`] : []))
