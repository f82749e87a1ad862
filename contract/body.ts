import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { busy, type usual } from './failure.ts'
import { isObject } from './validate.ts'

const limitBytes = 1024 * 1024
/** A refused upload is read up to this size before it is answered, because many clients read the response only after they have sent everything. */
const drainBytes = 16 * limitBytes
/** A client that is still sending after the answer gets this long to read it before the connection closes. */
const lingerMilliseconds = 2000

/** Bodies of this size are always accepted; larger ones share `mostHeldBytes`, because anyone may send many of them slowly. */
const smallBytes = limitBytes / 16
const mostHeldBytes = 128 * limitBytes

const tooLarge = Symbol('too large')
const noRoom = Symbol('no room')

/** Stands for a body whose content type the HTTP library does not parse. */
export const unreadable = Symbol('unreadable')

type Received = (error: Error | null, body?: Buffer | typeof tooLarge | typeof noRoom) => void

/** Receives bytes only; they are parsed after the caller is known (readBody). */
export function bodyReceiver() {
  /** The bytes of all bodies that are being received. */
  let heldBytes = 0
  return (_request: FastifyRequest, payload: IncomingMessage, done: Received) => {
    let chunks: Buffer[] = []
    let size = 0
    let held = 0
    let hasRoom = true
    let closing: NodeJS.Timeout | undefined
    const hold = (bytes: number) => {
      heldBytes += bytes - held
      held = bytes
    }
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (closing) return
      if (size > drainBytes) {
        closing = setTimeout(() => payload.socket.destroy(), lingerMilliseconds).unref()
        return done(null, tooLarge)
      }
      if (size > smallBytes && heldBytes + chunk.length > mostHeldBytes) hasRoom = false
      if (hasRoom && size <= limitBytes) {
        chunks.push(chunk)
        if (size > smallBytes) hold(size)
      } else {
        chunks = []
        hold(0)
      }
    })
    payload.on('close', () => hold(0))
    payload.on('end', () => {
      if (closing) clearTimeout(closing)
      else if (size > limitBytes) done(null, tooLarge)
      else if (!hasRoom) done(null, noRoom)
      else done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    })
    payload.on('error', (error) => closing || done(error))
  }
}

export type UnreadableBody = keyof (typeof usual)[400]

export const isWithoutBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** The body as an object, or the code of why it cannot be read. */
export function readBody(request: FastifyRequest): Record<string, unknown> | UnreadableBody {
  const body = request.body as Buffer | typeof tooLarge | typeof noRoom | typeof unreadable | undefined
  if (body === noRoom) throw busy(1)
  if (body === tooLarge) return 'body_too_large'
  if (body === undefined || (body !== unreadable && body.length === 0)) return {}
  if (body === unreadable || !isJson(request.headers['content-type'])) return 'content_type_not_json'
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    return 'content_encoding_not_supported'
  if (!isUtf8(body)) return 'body_not_utf8'
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return 'body_not_json'
  }
  return isObject(value) ? value : 'body_not_an_object'
}

export const isJson = (contentType: string | undefined) =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '')
