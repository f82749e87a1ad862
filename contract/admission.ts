import { type Failure, fail } from './failure.ts'
import type { Exchange } from './operation.ts'
import { addressKey, type Counter } from './rate-limit.ts'
import type { Speech } from './speech.ts'
import type { Unread } from './unread.ts'

/** What is known here of a caller. */
export interface Identified {
  id: number
  /** The language that they chose. */
  language: string | null
}

export interface Identity<Caller> {
  caller: Caller | undefined
  /** True if the operation's audience includes the caller. */
  isAdmitted?: boolean
  /** Why not, unless for the usual reason. */
  refusal?: Failure
  /** The columns that the operation reads together with the caller. */
  alongside?: unknown
  /** The credentials contradict each other, or are no longer valid. */
  problem?: Failure
}

/** Identifies callers and counts their requests; `Called` is the type of the API's operations. */
export interface Gate<Caller extends Identified = Identified, Called = never> {
  identify(
    http: Exchange,
    operation: Called | undefined,
    body: () => Record<string, unknown> | string,
  ): Promise<Identity<Caller>>
  count: Counter
  limits: { perUser: number; perAddress: number }
  unread: Unread
  /** How answers are said to a caller who chose this language, or none, and whose browser accepts these. */
  speechIn(language: string | null, accepted: string | undefined): Speech
  /** The answer to an error that has a known cause, such as something that was in use for too long. */
  failureAfter(error: unknown): Failure | undefined
}

const bytesPerRequest = 64 * 1024

/** As how many requests one counts: a body as one for each 64 KiB. */
export const requestsOf = (bodyBytes: number): number => Math.max(1, Math.ceil(bodyBytes / bytesPerRequest))

/** True if a call with so many bytes of body will be refused, as far as its headers say; nothing is counted. */
export async function isBeyondLimit<Caller extends Identified, Called extends { audience: unknown }>(
  gate: Gate<Caller, Called>,
  http: Exchange,
  operation: Called | undefined,
  bodyBytes: number,
): Promise<boolean> {
  const isPublic = operation?.audience === 'public'
  const { caller } = isPublic ? {} : await gate.identify(http, undefined, () => ({}))
  const { remaining } = await (caller
    ? gate.count(`user:${caller.id}`, gate.limits.perUser, 0)
    : gate.count(`address:${addressKey(http.address)}`, gate.limits.perAddress, 0))
  return remaining < requestsOf(bodyBytes)
}

/** Identifies the caller and counts the call, which fails with 429 beyond the limit. */
export async function admit<Caller extends Identified, Called extends { audience: unknown }>(
  gate: Gate<Caller, Called>,
  http: Exchange & { reader: string; setCount(count: Awaited<ReturnType<Counter>>): void },
  operation: Called | undefined,
  body: () => Record<string, unknown> | string,
  bodyBytes = 0,
): Promise<Identity<Caller>> {
  const requests = requestsOf(bodyBytes)
  const countAddress = () =>
    gate.count(`address:${addressKey(http.address)}`, gate.limits.perAddress, requests)
  let identity: Identity<Caller> = { caller: undefined }
  try {
    if (operation?.audience !== 'public') identity = await gate.identify(http, operation, body)
  } catch (error) {
    http.setCount(await countAddress())
    throw error
  }
  const { caller } = identity
  if (caller) {
    http.reader = `user:${caller.id}`
    http.language = caller.language
  }
  const counted = await (caller ? gate.count(http.reader, gate.limits.perUser, requests) : countAddress())
  http.setCount(counted)
  if (counted.retryAfterSeconds !== undefined) throw fail(429, 'rate_limited', counted.retryAfterSeconds)
  if (gate.unread.isFull(http.reader)) throw fail(429, 'answers_unread', gate.unread.retrySeconds)
  return identity
}
