import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from './operation.ts'
import type { Count } from './rate-limit.ts'

/** An HTTP exchange whose answer carries the headers of every answer below the base path. */
export class FastifyExchange implements Exchange {
  readonly requestId = randomUUID()
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #effects: (() => void)[] = []

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': this.requestId,
    })
  }

  get method() {
    return this.#request.method
  }

  get address() {
    return this.#request.ip
  }

  header(name: string) {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  answerHeader(name: string, value: string) {
    this.#reply.header(name, value)
  }

  afterCommit(effect: () => void) {
    this.#effects.push(effect)
  }

  /** Nothing is sent for work that was refused. */
  commit(hasSucceeded: boolean) {
    if (hasSucceeded) for (const effect of this.#effects) effect()
  }

  setCount({ limit, remaining }: Count) {
    this.#reply.header('x-ratelimit-limit', limit).header('x-ratelimit-remaining', remaining)
  }
}
