// Rate limits by address for what is not an operation.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '#contract/admission.ts'
import { FastifyExchange, type GateOfAnswers } from '#contract/exchange.ts'
import { type Failure, fail } from '#contract/failure.ts'
import type { Description } from '#contract/operation.ts'
import { addressKey } from '#contract/rate-limit.ts'
import { endIfLarge } from '#contract/receiving.ts'
import { refusalOf } from '#contract/refusal.ts'

export type Counting = GateOfAnswers & Pick<Gate, 'count' | 'limits'>

/** A hook that refuses requests beyond the limit. Each purpose has its own count, so that a health check does not suffer from other requests. */
export const limited = (gate: Counting, purpose: string) => (request: FastifyRequest, reply: FastifyReply) =>
  refuseBeyondLimit(gate, purpose, request, reply)

interface Refusing {
  /** The answer within the limit, and the operation that it is about. */
  otherwise?: { failure: Failure; operation: Description | undefined }
  /** As how many requests it counts; 0 only looks. */
  requests?: number
}

/** Counts the request for its address, and refuses it with 429 beyond the limit or else with the given failure. */
export async function refuseBeyondLimit(
  gate: Counting,
  purpose: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { otherwise, requests = 1 }: Refusing = {},
): Promise<FastifyReply | undefined> {
  const http = new FastifyExchange(request, reply, gate)
  const key = `${purpose}:${addressKey(http.address)}`
  const counted = await gate.count(key, gate.limits.perAddress, requests)
  const { retryAfterSeconds } = counted
  const failure =
    retryAfterSeconds === undefined ? otherwise?.failure : fail(429, 'rate_limited', retryAfterSeconds)
  if (failure === undefined) return undefined
  if (request.body === undefined) endIfLarge(request, reply)
  http.setCount(counted)
  const { status, body } = refusalOf(failure, http, otherwise?.operation)
  return http.answer(status, body)
}

const fileBytesPerRequest = 256 * 1024

/** Refuses a large file beyond the limit: it counts as one request for each 256 KiB. With a low limit, it still can be read once a minute. */
export function refuseFileBeyondLimit(
  gate: Counting,
  request: FastifyRequest,
  reply: FastifyReply,
  { length }: Buffer,
) {
  const requests = Math.min(Math.ceil(length / fileBytesPerRequest), gate.limits.perAddress)
  return refuseBeyondLimit(gate, 'files', request, reply, { requests })
}
