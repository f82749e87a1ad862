// One client of the load: it sends one request at a time, and knows what each acknowledged one has changed.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { demoPassword } from '../../demo/accounts.ts'
import { observedFetch } from '../observed-fetch.ts'

/** Where the service is now; the address changes when it is started again. */
export type Where = () => string

export interface Request<State> {
  path: string
  input: object
  /** What the request does, whether or not the client hears of it. */
  change(state: State): void
  /** What only the answer tells, such as the id of a new card. */
  learn?(state: State, data: never): void
}

interface Pending<State> {
  request: Request<State>
  /** Undefined for a sign-in, which has no caller yet. */
  key: string | undefined
  next: State
}

/** What the clients of a load have seen together. */
export interface Tally {
  acknowledged: number
  /** Requests that were sent again, because the first answer was a 500 or was lost. */
  repeated: number
  slowestMilliseconds: number
}

export interface Caller<State> {
  readonly name: string
  token(): string
  /** The state that all acknowledged requests have led to. */
  known(): State
  /** The state if the request without an answer has been done; undefined if there is none. */
  possible(): State | undefined
  /** The keys of acknowledged requests, and that of the request without an answer. */
  keys(): { acknowledged: string[]; pending: string | undefined }
  /** Sends one request; false if it was not acknowledged. */
  send(request: Request<State>): Promise<boolean>
  /** Sends the request without an answer again, with the same key, until it is acknowledged. */
  repeat(isOver?: () => boolean): Promise<void>
  /** A new session; the client uses its token from then on. */
  signIn(): Promise<boolean>
}

const longestOutageMilliseconds = 30_000
/** The tests of single outages expect the same. */
const longestAnswerMilliseconds = 20_000

export async function startCaller<State>(
  { name, email, where, tally }: { name: string; email: string; where: Where; tally: Tally },
  initial: (call: <Data>(path: string, input: object) => Promise<Data>) => Promise<State>,
): Promise<Caller<State>> {
  let token: string | undefined
  let pending: Pending<State> | undefined
  let count = 0
  const acknowledged: string[] = []

  async function post(path: string, input: object, key?: string): Promise<{ status: number; data: unknown }> {
    const startedAt = performance.now()
    const response = await observedFetch(`${where()}/api${path.replace('/v1/', '/v2/')}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(path !== authenticate && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(longestAnswerMilliseconds),
    })
    const { data, message } = (await response.json()) as { data: unknown; message: string }
    tally.slowestMilliseconds = Math.max(tally.slowestMilliseconds, performance.now() - startedAt)
    const isOutage = response.status === 500 || response.headers.get('x-error-code') === 'request_running'
    assert.ok(response.ok || isOutage, `${name}: ${path} answered ${response.status}: ${message}`)
    return { status: response.status, data }
  }

  /** True once the pending request is acknowledged. */
  async function attempt(): Promise<boolean> {
    const { request, key, next } = pending as Pending<State>
    const answer = await post(request.path, request.input, key).catch((error: Error) => {
      // What fetch says of a broken connection.
      if (error.message === 'fetch failed' || error.message === 'terminated') return undefined
      if (error.name !== 'TimeoutError') throw error
      throw new Error(`${name} gets no answer to ${request.path} ${JSON.stringify(request.input)}`)
    })
    if (!answer || answer.status >= 400) return false
    request.learn?.(next, answer.data as never)
    known = next
    pending = undefined
    tally.acknowledged++
    if (key !== undefined) acknowledged.push(key)
    return true
  }

  function send(request: Request<State>): Promise<boolean> {
    const next = structuredClone(known)
    request.change(next)
    pending = { request, key: request.path === authenticate ? undefined : `${name} ${++count}`, next }
    return attempt()
  }

  const signIn = () =>
    send({
      path: authenticate,
      input: { email, password: demoPassword },
      change() {},
      learn(_state, data: { token: string }) {
        token = data.token
      },
    })

  let known = undefined as State
  assert.ok(await signIn())
  known = await initial(async (path, input) => {
    const { status, data } = await post(path, input)
    assert.ok(status < 300)
    return data as never
  })
  return {
    name,
    token: () => token as string,
    known: () => known,
    possible: () => pending?.next,
    keys: () => ({ acknowledged, pending: pending?.key }),
    send,
    async repeat(isOver = () => false) {
      const deadline = performance.now() + longestOutageMilliseconds
      while (pending && !isOver()) {
        tally.repeated++
        if (await attempt()) return
        assert.ok(performance.now() < deadline, `${name} gets no answer to ${pending.request.path}`)
        await delay(20)
      }
    },
    signIn,
  }
}

const authenticate = '/v1/authenticate'
