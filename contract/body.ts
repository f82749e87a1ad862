import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type BodyLimits, isSimpleEnough, mostBodyBytes } from './body-limits.ts'
import { busy, type usual } from './failure.ts'
import { addressKey } from './rate-limit.ts'
import { isObject } from './validate.ts'

/** A refused upload is read up to this size before it is answered, because many clients read the response only after they have sent everything. */
const drainBytes = 16 * mostBodyBytes
/** A client that is still sending after the answer gets this long to read it before the connection closes. */
const lingerMilliseconds = 2000

/** What is held of bodies that have not arrived completely: of one address, and in all. */
const mostBytesPerAddress = 16 * mostBodyBytes
const mostBytes = 96 * mostBodyBytes
/** What the smallest piece of a body takes in memory. */
const bytesPerChunk = 256

/** A body that was refused; nothing of it is kept in memory. */
class Refused {
  readonly reason: 'too large' | 'no room'
  /** How much of it arrived. */
  readonly length: number
  constructor(reason: Refused['reason'], length: number) {
    this.reason = reason
    this.length = length
  }
}

/** Stands for a body whose content type the HTTP library does not parse. */
export const unreadable = Symbol('unreadable')

type Received = (error: Error | null, body?: Buffer | Refused) => void

/** Receives bytes only; they are parsed after the caller is known (readBody). */
export function bodyReceiver(mostBytesOf: (request: FastifyRequest) => number) {
  const room = receivingRoom()
  return (request: FastifyRequest, payload: IncomingMessage, done: Received) => {
    const most = mostBytesOf(request)
    const address = addressKey(request.ip)
    const chunks: Buffer[] = []
    let size = 0
    let hasRoom = true
    let closing: NodeJS.Timeout | undefined
    const held: Held = {
      bytes: 0,
      drop() {
        hasRoom = false
        for (const chunk of chunks.splice(0)) free(chunk)
      },
    }
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (closing) return free(chunk)
      if (size > drainBytes) {
        free(chunk)
        closing = setTimeout(() => payload.socket.destroy(), lingerMilliseconds).unref()
        return done(null, new Refused('too large', size))
      }
      if (!hasRoom || size > most) {
        free(chunk)
        return room.release(address, held)
      }
      chunks.push(chunk)
      room.take(address, held, chunk.length + bytesPerChunk)
    })
    payload.on('close', () => room.release(address, held))
    payload.on('end', () => {
      if (closing) return clearTimeout(closing)
      const content = chunks.length === 1 ? chunks.pop() : Buffer.concat(chunks)
      room.release(address, held)
      if (size > most) done(null, new Refused('too large', size))
      else done(null, content?.length === size ? content : new Refused('no room', size))
    })
    payload.on('error', (error) => closing || done(error))
  }
}

/** Fewer bytes are left to the garbage collector, because most bodies are small and freeing them takes time. */
const worthwhileBytes = 16 * 1024

/** Frees the memory of bytes at once, because the garbage collector would let many bodies pile up first. */
function free({ buffer, length }: Buffer) {
  const isAlone = buffer.byteLength === length
  if (isAlone && length >= worthwhileBytes && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** A body that is being received. */
interface Held {
  bytes: number
  /** Forgets what was received. */
  drop(): void
}

/**
 * The memory of bodies that are being received. If there is too much, the oldest of the address that holds the most is dropped, so that
 * clients that send slowly keep nobody else out.
 */
function receivingRoom() {
  const addresses = new Map<string, { bytes: number; bodies: Set<Held> }>()
  let total = 0

  function release(address: string, held: Held) {
    const share = addresses.get(address)
    if (!share?.bodies.delete(held)) return
    share.bytes -= held.bytes
    total -= held.bytes
    held.bytes = 0
    held.drop()
    if (share.bodies.size === 0) addresses.delete(address)
  }

  function dropOldest(address: string) {
    const [oldest] = addresses.get(address)?.bodies ?? []
    if (oldest) release(address, oldest)
  }

  const largestHolder = () =>
    [...addresses].reduce((most, share) => (share[1].bytes > most[1].bytes ? share : most))[0]

  return {
    release,
    take(address: string, held: Held, bytes: number) {
      const share = addresses.get(address) ?? { bytes: 0, bodies: new Set() }
      addresses.set(address, share)
      share.bodies.add(held)
      held.bytes += bytes
      share.bytes += bytes
      total += bytes
      while (share.bytes > mostBytesPerAddress) dropOldest(address)
      while (total > mostBytes) dropOldest(largestHolder())
    },
  }
}

export type UnreadableBody = keyof (typeof usual)[400]

export const isWithoutBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** How many bytes of a body arrived. */
export const receivedBytes = ({ body }: FastifyRequest): number =>
  Buffer.isBuffer(body) || body instanceof Refused ? body.length : 0

/** The body as an object, or the code of why it cannot be read. Called once, because it frees what was received. */
export function readBody(
  request: FastifyRequest,
  limits: BodyLimits,
): Record<string, unknown> | UnreadableBody {
  const read = parsed(request, limits)
  if (Buffer.isBuffer(request.body)) free(request.body)
  return read
}

function parsed(request: FastifyRequest, limits: BodyLimits): Record<string, unknown> | UnreadableBody {
  const body = request.body as Buffer | Refused | typeof unreadable | undefined
  if (body instanceof Refused) {
    if (body.reason === 'no room') throw busy(1)
    return 'body_too_large'
  }
  if (body === undefined || (body !== unreadable && body.length === 0)) return {}
  if (body === unreadable || !isJson(request.headers['content-type'])) return 'content_type_not_json'
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    return 'content_encoding_not_supported'
  if (!isUtf8(body)) return 'body_not_utf8'
  if (!isSimpleEnough(body, limits)) return 'body_too_complex'
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
