// Receives the bodies of requests, and ends the connection of a request that is refused before all of its body has arrived.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mostBodyBytes, usualLimits } from './body-limits.ts'
import { addressKey } from './rate-limit.ts'

/** Bodies up to this size are received even if the request is refused, because their connections can go on. */
const smallBytes = usualLimits.bytes
/** A client that is still sending after the answer gets this long to read it before the connection closes. */
const lingerMilliseconds = 2000
/** How fast the rest of a refused body is read meanwhile: many clients read the answer only after they have sent everything. */
const lingerBytesPerMillisecond = 640

/** What is held of bodies that have not arrived completely: of one address, and in all. */
const mostBytesPerAddress = 16 * mostBodyBytes
const mostBytes = 96 * mostBodyBytes
/** What the smallest piece of a body takes in memory. */
const bytesPerChunk = 256

/** A body that was refused; nothing of it is kept in memory. */
export class Refused {
  readonly reason: 'too large' | 'no room'
  /** How much of it arrived. */
  readonly length: number
  constructor(reason: Refused['reason'], length: number) {
    this.reason = reason
    this.length = length
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for a request without a body. A WeakMap would keep all requests until the next full collection (docs/architecture.md, requests leave nothing behind). */
    replyToBody: FastifyReply | undefined
  }
}

type Received = (error: Error | null, body?: Buffer | Refused) => void

export const isWithoutBody = (request: FastifyRequest): boolean =>
  !isChunked(request) && declaredBytes(request) === 0

const isChunked = ({ headers }: FastifyRequest) => headers['transfer-encoding'] !== undefined

/** 0 also for a body that is sent in chunks. */
export const declaredBytes = ({ headers }: FastifyRequest) => Number(headers['content-length'] ?? 0)

interface Rules {
  mostBytesOf(request: FastifyRequest): number
  /** True if a request with a body of so many bytes is beyond a limit, whatever is in the body. */
  isBeyondLimit(request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<boolean>
}

/** Receives bytes only; they are parsed after the caller is known (readBody). */
export function receiveBodies(app: FastifyInstance, rules: Rules) {
  const room = receivingRoom()
  app.decorateRequest('replyToBody')
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!isWithoutBody(request)) request.replyToBody = reply
    done(null, payload)
  })
  // The HTTP library receives no body with this method or content type.
  app.addHook('preHandler', (request, reply, done) => {
    if (request.body === undefined) endIfLarge(request, reply)
    done()
  })
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*'])
    app.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done: Received) => {
      const reply = request.replyToBody
      if (reply) receive({ request, reply, payload, done, rules, room })
      else done(null, Buffer.alloc(0))
    })
}

interface Receiving {
  request: FastifyRequest
  reply: FastifyReply
  payload: IncomingMessage
  done: Received
  rules: Rules
  room: ReturnType<typeof receivingRoom>
}

function receive({ request, reply, payload, done, rules, room }: Receiving) {
  const most = rules.mostBytesOf(request)
  const declared = declaredBytes(request)
  const address = addressKey(request.ip)
  const held = new Held()
  let size = 0
  let isAnswered = false
  let isLarge = false
  const answer = (body: Buffer | Refused) => {
    isAnswered = true
    room.release(address, held)
    done(null, body)
  }
  const refuse = (reason: Refused['reason']) => {
    if (isAnswered) return
    endAfterAnswer(reply)
    answer(new Refused(reason, Math.max(size, declared)))
  }
  const judge = () => {
    const bytes = Math.max(size, declared)
    if (bytes > most) return refuse('too large')
    if (isLarge || bytes <= smallBytes) return
    isLarge = true
    // If it cannot be known, the body is received as usual.
    const beyond = rules.isBeyondLimit(request, reply, bytes).catch(() => false)
    void beyond.then((isBeyond) => isBeyond && refuse('no room'))
  }
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (isAnswered) return
    judge()
    if (isAnswered) return free(chunk)
    if (held.keep(chunk)) room.take(address, held, chunk.length + bytesPerChunk)
  })
  payload.on('close', () => room.release(address, held))
  payload.on('end', () => isAnswered || answer(held.whole(size)))
  payload.on('error', (error) => isAnswered || done(error))
  judge()
}

/** For an answer before the body is received: a large one is not received any more. */
export function endIfLarge(request: FastifyRequest, reply: FastifyReply) {
  if (isChunked(request) || declaredBytes(request) > smallBytes) endAfterAnswer(reply)
}

/** Makes the answer close the connection, although the client is still sending. */
function endAfterAnswer({ raw }: FastifyReply) {
  const { req: payload } = raw
  const { socket } = payload
  if (raw.hasHeader('connection')) return
  raw.setHeader('connection', 'close')
  // Node would close it at once, and a client that has not read the answer yet would lose it.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  }
  payload.on('data', (chunk: Buffer) => {
    payload.pause()
    setTimeout(() => payload.resume(), chunk.length / lingerBytesPerMillisecond).unref()
    free(chunk)
  })
  // The client has hung up.
  payload.on('error', () => {})
}

/** Fewer bytes are left to the garbage collector, because most bodies are small and freeing them takes time. */
const worthwhileBytes = 16 * 1024

/** Frees the memory of bytes at once, because the garbage collector would let many bodies pile up first. */
export function free({ buffer, length }: Buffer) {
  const isAlone = buffer.byteLength === length
  if (isAlone && length >= worthwhileBytes && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** What is held of a body that is being received. */
class Held {
  bytes = 0
  #chunks: Buffer[] = []
  #isDropped = false

  /** False if what came before was dropped. */
  keep(chunk: Buffer): boolean {
    if (this.#isDropped) free(chunk)
    else this.#chunks.push(chunk)
    return !this.#isDropped
  }

  /** All of it, unless something was dropped. */
  whole(size: number): Buffer | Refused {
    if (this.#isDropped) return new Refused('no room', size)
    // It is not freed with the pieces.
    const only = this.#chunks.length === 1 ? this.#chunks.pop() : undefined
    return only ?? Buffer.concat(this.#chunks)
  }

  /** Forgets what was received. */
  drop() {
    this.#isDropped = true
    for (const chunk of this.#chunks.splice(0)) free(chunk)
  }
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
