import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from './operation.ts'
import type { Count } from './rate-limit.ts'

/** An HTTP exchange whose answer carries the headers of every answer below the base path. */
export class FastifyExchange implements Exchange {
  readonly requestId = randomUUID()
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #effects: (() => void)[] = []

  readonly #headers: string[]

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
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

  afterCommit(effect: () => void) {
    this.#effects.push(effect)
  }

  /** Nothing is sent for work that was refused. */
  commit(hasSucceeded: boolean) {
    if (hasSucceeded) for (const effect of this.#effects) effect()
  }

  setCount({ limit, remaining }: Count) {
    this.#headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining))
  }

  /** Headers as one list, past Fastify's own store of them: 16 µs less of 230 for a small answer. */
  answer(status: number, body: string | Buffer): FastifyReply {
    const length = String(Buffer.byteLength(body))
    this.#reply.hijack()
    this.#reply.raw.writeHead(status, [...this.#headers, 'content-length', length]).end(body)
    return this.#reply
  }

  /** Headers alone, for an answer that goes on; the type of its content is another one. */
  begin(contentType: string): ServerResponse {
    this.#headers[1] = contentType
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, this.#headers).flushHeaders()
    return this.#reply.raw
  }
}
