import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Body, bytesOf, type StreamedBody } from './bodies.ts'
import type { Exchange } from './operation.ts'
import { addressKey, type Count } from './rate-limit.ts'
import { isSmall, type Unread } from './unread.ts'

/** An HTTP exchange whose answer carries the headers of every answer below the base path. */
export class FastifyExchange implements Exchange {
  readonly requestId = randomUUID()
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #unread: Unread
  #reader: string | undefined

  readonly #headers: string[]
  #hasRoom = false

  constructor(request: FastifyRequest, reply: FastifyReply, unread: Unread) {
    this.#request = request
    this.#reply = reply
    this.#unread = unread
    this.#headers = [
      'content-type',
      'application/json; charset=utf-8',
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
      'x-request-id',
      this.requestId,
    ]
  }

  get method() {
    return this.#request.method
  }

  /** Where a caller who has hung up called from cannot be told any more; the HTTP library then says nothing. */
  get address() {
    return this.#request.ip ?? 'gone'
  }

  /** Whose share of unread answers this one takes: the user's, or the address's where nobody is known. */
  get reader() {
    this.#reader ??= `address:${addressKey(this.address)}`
    return this.#reader
  }

  set reader(reader: string) {
    this.#reader = reader
  }

  header(name: string) {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  answerHeader(name: string, value: string) {
    this.#headers.push(name, value)
  }

  get isGone() {
    return this.#reply.raw.destroyed
  }

  /** Tells when the caller hangs up; answers how not to be told any more. */
  onGone(effect: () => void) {
    this.#reply.raw.once('close', effect)
    return () => void this.#reply.raw.off('close', effect)
  }

  setCount({ limit, remaining }: Count) {
    this.#headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining))
  }

  /** Takes room for an answer among what its reader leaves unread; false where there is none. */
  takeRoom(body: Body): boolean {
    const bytes = bytesOf(body)
    this.#hasRoom = this.#unread.hasRoom(this.reader, bytes)
    // Taken now, since large answers that become ready together would all find the same room.
    if (this.#hasRoom && !isSmall(bytes)) this.#unread.hold(this.#reply.raw, this.reader, bytes, heldBy(body))
    return this.#hasRoom
  }

  /** Headers as one list, past Fastify's own store of them: 16 µs less of 230 for a small answer. */
  answer(status: number, body: Body): FastifyReply {
    const { raw } = this.#reply
    this.#reply.hijack()
    // What was done cannot be refused any more; whoever reads none of their answers does not get this one either.
    if (!this.#hasRoom && !this.takeRoom(body)) raw.destroy()
    else if (typeof body === 'string' || Buffer.isBuffer(body)) {
      const bytes = Buffer.byteLength(body)
      raw.writeHead(status, [...this.#headers, 'content-length', String(bytes)]).end(body)
      const unsent = raw.writableLength > 0 ? bytes : 0
      if (unsent > 0 || !isSmall(bytes)) this.#unread.hold(raw, this.reader, unsent, heldBy(body))
    } else {
      raw.writeHead(status, this.#headers)
      // A body that breaks off ends the connection, so that nobody takes the half of it for the whole.
      pipeline(Readable.from(this.#partsInTurn(body), { objectMode: false }), raw, () => {})
    }
    return this.#reply
  }

  async *#partsInTurn(body: StreamedBody) {
    for (const part of body.parts()) {
      yield part
      await this.#unread.pace(this.reader, part.length)
    }
  }

  /** Notes what an answer that goes on has waiting for its reader; false where the reader has no room for it. */
  holds(raw: ServerResponse): boolean {
    this.#unread.hold(raw, this.reader, raw.writableLength)
    return !this.#unread.isFull(this.reader)
  }

  /** Headers alone, for an answer that goes on; the type of its content is another one. */
  begin(contentType: string): ServerResponse {
    this.#headers[1] = contentType
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, this.#headers).flushHeaders()
    return this.#reply.raw
  }
}

/** Bytes and parts may be shared with other answers; text is this one's own. */
function heldBy(body: Body): object | undefined {
  if (typeof body === 'string') return undefined
  return Buffer.isBuffer(body) ? body : body.source
}
