import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from './admission.ts'
import { type Body, bytesOf, type SharedBody, type StreamedBody, type WireVersion } from './bodies.ts'
import { acceptedCoding, type Coding, compressed, isWorthIt } from './compression.ts'
import { fail } from './failure.ts'
import { forwardingHeader } from './forwarding.ts'
import type { Exchange } from './operation.ts'
import { addressKey, type Count } from './rate-limit.ts'
import { type Sentence, type Speech, say } from './speech.ts'
import { cutOff, isSmall, type Unread } from './unread.ts'

/** For answers that are no pages: a browser that is led to one runs nothing and shows it in no frame. */
export const notAPage = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The headers of every answer below the base path, as names and values in turn. */
export const headersOfAnswer = (requestId: string): string[] => [
  'content-type',
  'application/json; charset=utf-8',
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  notAPage,
  'x-request-id',
  requestId,
]

/** The parts of the gate that write answers. */
export type GateOfAnswers = Pick<Gate, 'unread' | 'speechIn' | 'failureAfter'>

/** A request and its response, with the headers that every response below the base path has. */
export class FastifyExchange implements Exchange {
  readonly requestId = randomUUID()
  readonly arrivedAt = performance.now()
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #unread: Unread
  readonly #speechIn: Gate['speechIn']
  readonly failureAfter: Gate['failureAfter']
  /** The language that the caller chose. */
  language: string | null = null
  #reader: string | undefined

  readonly #headers: string[]
  #hasRoom = false
  /** Set for answers without secrets (docs/security.md). */
  mayCompress = false

  constructor(request: FastifyRequest, reply: FastifyReply, gate: GateOfAnswers) {
    this.#request = request
    this.#reply = reply
    this.#unread = gate.unread
    this.#speechIn = gate.speechIn
    this.failureAfter = gate.failureAfter
    this.#headers = headersOfAnswer(this.requestId)
  }

  get method() {
    return this.#request.method
  }

  get version(): WireVersion {
    return /^[^?]*\/v2\//.test(this.#request.url) ? 'v2' : 'v1'
  }

  /** Empty after the caller has hung up, because the HTTP library no longer knows the address. */
  get address() {
    return this.#request.ip ?? 'gone'
  }

  /** Who this response counts for while it is unread: the user, or else the IP address. */
  get reader() {
    this.#reader ??= `address:${addressKey(this.address)}`
    return this.#reader
  }

  set reader(reader: string) {
    this.#reader = reader
  }

  get isForwarded() {
    return forwardingHeader(this.#request.headers) !== undefined
  }

  header(name: string) {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** The language of the answer. */
  get speech(): Speech {
    return this.#speechIn(this.language, this.header('accept-language'))
  }

  say(sentence: Sentence): string {
    return say(this.speech, sentence)
  }

  answerHeader(name: string, value: string) {
    this.#headers.push(name, value)
  }

  get isGone() {
    return this.#reply.raw.destroyed
  }

  /** Calls back when the caller hangs up; returns a function that unsubscribes. */
  onGone(effect: () => void) {
    this.#reply.raw.once('close', effect)
    return () => void this.#reply.raw.off('close', effect)
  }

  setCount({ limit, remaining }: Count) {
    this.#headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining))
  }

  requireRoom(bytes: number) {
    if (!this.#unread.reserve(this.#reply.raw, this.reader, bytes))
      throw fail(429, 'answers_unread', this.#unread.retrySeconds)
  }

  /** Reserves room for a response among the reader's unread ones; false if there is none. */
  takeRoom(body: Body): boolean {
    const bytes = bytesOf(body)
    this.#unread.unreserve(this.#reply.raw)
    this.#hasRoom = this.#unread.hasRoom(this.reader, bytes)
    // Reserved now, because large responses that are ready at the same time would all find the same room.
    if (this.#hasRoom && !isSmall(bytes)) this.#unread.hold(this.#reply.raw, this.reader, bytes, heldBy(body))
    if (!this.#hasRoom && isStreamed(body)) body.end()
    return this.#hasRoom
  }

  /** Headers as one list instead of Fastify's own store, which took 16 µs of 230 for a small answer. */
  answer(status: number, body: Body): FastifyReply {
    const { raw } = this.#reply
    this.#reply.hijack()
    // The work is done and cannot be refused; a client that reads no responses does not get this one either.
    if (!this.#hasRoom && !this.takeRoom(body)) cutOff(raw)
    else if (isStreamed(body)) {
      raw.writeHead(status, this.#headers)
      // A body that breaks off closes the connection, so that a client cannot mistake half of it for the whole.
      pipeline(Readable.from(this.#partsInTurn(body), { objectMode: false }), raw, body.end)
    } else {
      const coding = this.mayCompress && isWorthIt(body) && acceptedCoding(this.header('accept-encoding'))
      if (coding) void this.#answerCompressed(status, body, coding)
      else this.#answerWhole(status, body)
    }
    return this.#reply
  }

  #answerWhole(status: number, body: string | SharedBody) {
    const { raw } = this.#reply
    const bytes = bytesOf(body)
    raw.writeHead(status, [...this.#headers, 'content-length', String(bytes)])
    if (typeof body === 'string') raw.end(body)
    else if (body.head === '') raw.end(body.rest)
    else {
      raw.cork()
      raw.write(body.head)
      raw.end(body.rest)
    }
    this.#holdUnsent(bytes, body)
  }

  async #answerCompressed(status: number, body: string | SharedBody, coding: Coding) {
    const { raw } = this.#reply
    const bytes = await compressed(body, coding).catch(() => undefined)
    if (raw.destroyed) return
    if (!bytes) return this.#answerWhole(status, body)
    const headers = [...this.#headers, 'content-encoding', coding, 'content-length', String(bytes.length)]
    raw.writeHead(status, headers).end(bytes)
    this.#holdUnsent(bytes.length, body)
  }

  #holdUnsent(bytes: number, body: Body) {
    const { raw } = this.#reply
    const unsent = raw.writableLength > 0 ? bytes : 0
    if (unsent > 0 || !isSmall(bytesOf(body))) this.#unread.hold(raw, this.reader, unsent, heldBy(body))
  }

  async *#partsInTurn(body: StreamedBody) {
    for (const part of body.parts()) {
      yield part
      await this.#unread.pace(this.reader, part.length)
    }
  }

  /** Counts the unread bytes of a streaming response; false if the reader has no room left. */
  holds(raw: ServerResponse): boolean {
    this.#unread.hold(raw, this.reader, raw.writableLength)
    return !this.#unread.isFull(this.reader)
  }

  /** Sends only the headers of a streaming response with its own content type. */
  begin(contentType: string): ServerResponse {
    this.#headers[1] = contentType
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, this.#headers).flushHeaders()
    return this.#reply.raw
  }
}

const isStreamed = (body: Body): body is StreamedBody => typeof body === 'object' && 'parts' in body

/** Bytes and parts may be shared with other responses; text belongs to this one. */
const heldBy = (body: Body): object | undefined => (typeof body === 'string' ? undefined : body.source)
