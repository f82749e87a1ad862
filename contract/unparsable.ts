import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'

const answers: Record<string, [status: string, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'The headers of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request_timeout',
    'The request took too long to arrive.',
  ],
}

/** Answers requests that the HTTP parser refuses, which reach no handler, in the usual envelope. */
export function answerUnparsable({ code }: ConnectionError, socket: Socket) {
  if (!socket.writable) return void socket.destroy()
  const [status, reason, message] = answers[code] ?? [
    '400 Bad Request',
    'not_http',
    'This is not a request of HTTP.',
  ]
  const body = JSON.stringify({ error: true, message, data: [] })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${randomUUID()}`,
    `x-error-code: ${reason}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
