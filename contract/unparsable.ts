import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { errorBody } from './bodies.ts'

const answers: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

/** Answers requests that the HTTP parser refuses, which reach no handler, in the usual envelope. */
export function answerUnparsable({ code }: ConnectionError, socket: Socket) {
  if (!socket.writable) return void socket.destroy()
  const [status, message] = answers[code] ?? ['400 Bad Request', 'This is not a request of HTTP.']
  const body = errorBody('error, message, data', message)
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `x-request-id: ${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
