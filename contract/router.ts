// Answers every call below the base path, with the checks in the order of docs/decisions.md.
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit, type Gate, isBeyondLimit } from './admission.ts'
import { type Body, successWriter } from './bodies.ts'
import { readBody, receivedBytes, type UnreadableBody, unreadable } from './body.ts'
import { type BodyLimits, limitsOf, usualLimits } from './body-limits.ts'
import { FastifyExchange } from './exchange.ts'
import { Failure, fail, failOf, invalid } from './failure.ts'
import type { Accepted, Api, Description, Given, Operation } from './operation.ts'
import { endIfLarge, isWithoutBody, receiveBodies } from './receiving.ts'
import { refusalOf } from './refusal.ts'
import type { Speech } from './speech.ts'

export interface KeyedRequest<A extends Api> {
  services: A['services']
  caller: A['caller']
  key: string
  /** Identifies address and input, to detect a different request with the same key. */
  fingerprint: string
  /** What the operation acts on: the same input elsewhere may be a different request. */
  on: Operation<A>['on']
  audience: A['audience']
  status: number
  /** The scope in which the work was done, after it. */
  scope(): object | undefined
  /** The first step, stored with the key until there is an answer. Without it, `finish` runs in the key's transaction. */
  begin: ((services: A['services']) => Promise<unknown>) | undefined
  finish(services: A['services'], begun?: unknown): Promise<string>
}

export interface Kept {
  status: number
  body: string
  isReplay: boolean
}

export interface Answered<Caller = unknown> {
  operation: Description | undefined
  status: number
  /** Set if the request was refused. */
  code?: string
  /** What a refusal names as its target. */
  target?: object | undefined
  /** The fields of a refused request as sent; undefined if they cannot be read. */
  asked?(): Record<string, unknown> | undefined
  userId: number | undefined
  caller?: Caller | undefined
  address: string
  requestId: string
  milliseconds: number
  /** The requested address, if there is no operation at it. */
  unknown?: string
  error?: unknown
}

/** Who decided to fail: the handler, or the lookup of what the operation acts on. */
export interface Decision {
  path: string
  failure: Failure
  by: 'handler' | 'scope'
}

/** Publishes each decision to fail; the tests compare them with the declarations. */
export const decisions = channel('contract.decisions')

/** A call of an operation that acts on something. */
export interface ScopedCall<A extends Api> {
  on: NonNullable<Operation<A>['on']>
  audience: A['audience']
  writes: boolean
  input: Readonly<Record<string, unknown>>
  caller: A['caller']
  services: A['services']
  failOf: Given<A>['failOf']
}

/** What an API supplies to the router. */
interface Host<A extends Api> extends Gate<A['caller'], Operation<A>> {
  operations: readonly Operation<A>[]
  /** What handlers receive besides input and caller. */
  servicesFor(
    caller: A['caller'] | undefined,
    http: FastifyExchange,
    operation: Description,
  ): A['services'] | Promise<A['services']>
  /** Runs the work in the scope of the thing that the call acts on; the work returns undefined if the scope has no such thing. */
  within(call: ScopedCall<A>, work: (scope: object) => Promise<unknown>): Promise<unknown>
  /** Runs a write with an Idempotency-Key, or returns its earlier answer. */
  once(request: KeyedRequest<A>): Promise<Kept>
  onAnswer(answered: Answered<A['caller']>): void
}

interface Route<A extends Api> {
  path: string
  operation: Operation<A>
  limits: BodyLimits
  write(data: unknown, speech: Speech): Body
}

export function mountOperations<A extends Api>(app: FastifyInstance, base: string, host: Host<A>) {
  const routes = new Map<string, Route<A>>()
  for (const operation of host.operations) {
    const v2 = v2Path(operation.path)
    const shared = { operation, limits: limitsOf(operation.input) }
    routes.set(base + operation.path, {
      ...shared,
      path: operation.path,
      write: successWriter(operation, 'v1'),
    })
    routes.set(base + v2, { ...shared, path: v2, write: successWriter(operation, 'v2') })
  }
  receiveBodies(app, {
    mostBytesOf: (request) => routes.get(pathOf(request))?.limits.bytes ?? request.routeOptions.bodyLimit,
    async isBeyondLimit(request, reply, bytes) {
      if (request.routeOptions.url !== `${base}/*`) return false
      const http = new FastifyExchange(request, reply, host)
      return isBeyondLimit(host, http, routes.get(pathOf(request))?.operation, bytes)
    },
  })
  const answer = (request: FastifyRequest, reply: FastifyReply) => respond(host, routes, request, reply)
  app.all(`${base}/*`, answer)
  app.setErrorHandler((error, request, reply) => {
    const isUnparsed = error instanceof Error && 'code' in error && unparsed.test(String(error.code))
    if (!isUnparsed) return answerFault(host, error, request, reply)
    request.body = isWithoutBody(request) ? undefined : unreadable
    endIfLarge(request, reply)
    return answer(request, reply)
  })
  return answer
}

/** An error in a page is only logged, like one in an operation. */
function answerFault<A extends Api>(
  host: Host<A>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const http = new FastifyExchange(request, reply, host)
  const { status, code, body, cause } = refusalOf(error, http)
  const { requestId } = http
  // A client that hangs up while sending is not our error.
  if (!request.socket.destroyed)
    host.onAnswer({
      operation: undefined,
      status,
      code,
      userId: undefined,
      address: http.address,
      requestId,
      milliseconds: reply.elapsedTime,
      unknown: askedFor(request),
      error: cause,
    })
  return http.answer(status, body)
}

/** The address without secrets: without the query, and with the parameters of a page's route. */
function askedFor({ method, url, routeOptions }: FastifyRequest): string {
  const known = routeOptions.url?.includes(':') ? routeOptions.url : url.split('?')[0]
  return `${method} ${known?.slice(0, 200)}`
}

/** Errors of the HTTP library about the content type, before an operation is found. */
const unparsed = /^FST_ERR_(CTP|ROUTE_MISSING_CONTENT_TYPE)/

function pathOf({ url }: FastifyRequest): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

export const v2Path = (path: string) => path.replace('/v1/', '/v2/')

async function respond<A extends Api>(
  host: Host<A>,
  routes: Map<string, Route<A>>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const route = routes.get(pathOf(request))
  const http = new FastifyExchange(request, reply, host)
  const answered: Answered<A['caller']> = {
    operation: route?.operation,
    status: 500,
    userId: undefined,
    address: http.address,
    requestId: http.requestId,
    milliseconds: 0,
    ...(!route && { unknown: askedFor(request) }),
  }
  let parsed: Record<string, unknown> | UnreadableBody | undefined
  const given = () => (parsed ??= readBody(request, route?.limits ?? usualLimits))
  let body: Body
  try {
    body = await judge(host, route, { request, http, body: given }, answered)
  } catch (error) {
    const refusal = refusalOf(error, http, route?.operation)
    body = refusal.body
    answered.status = refusal.status
    answered.code = refusal.code
    answered.error = refusal.cause
    if (error instanceof Failure) answered.target = error.target
    // Only of a refusal, because it keeps the request in memory (docs/architecture.md, requests leave nothing behind).
    answered.asked = () => readable(given)
  }
  answered.milliseconds = performance.now() - http.arrivedAt
  host.onAnswer(answered)
  return http.answer(answered.status, body)
}

interface Call {
  request: FastifyRequest
  http: FastifyExchange
  /** Parsed when it is first needed. */
  body(): Record<string, unknown> | UnreadableBody
}

async function judge<A extends Api>(
  host: Host<A>,
  route: Route<A> | undefined,
  { request, http, body }: Call,
  answered: Answered<A['caller']>,
): Promise<Body> {
  const operation = route?.operation
  const identity = await admit(host, http, operation, body, receivedBytes(request))
  const { caller } = identity
  answered.userId = caller?.id
  answered.caller = caller
  if (!route) throw fail(404, 'address_not_found')
  if (request.method !== 'POST') throw fail(405, 'method_not_allowed')
  if (identity.problem) throw identity.problem
  if (route.operation.audience !== 'public') {
    if (!caller) throw fail(401, 'unauthenticated')
    if (!identity.isAdmitted) throw identity.refusal ?? fail(403, 'forbidden')
  }

  const given = body()
  if (typeof given === 'string') throw fail(400, given)
  const { writes, success, fromQuery } = route.operation
  const accepted = route.operation.accept(withQuery(given, request.url, fromQuery))
  if ('problems' in accepted) throw invalid(accepted.problems)

  const { input } = accepted
  const call = { caller, http, alongside: identity.alongside }
  let scope: object | undefined
  const { begin, handle } = stepsOf(route, accepted, call, (scoped, work) =>
    host.within(scoped, (found) => {
      scope = found
      return work(found)
    }),
  )
  const finish = async (services: A['services'], begun?: unknown) =>
    route.write(await handle(services, begun), http.speech)

  const found = host.servicesFor(caller, http, route.operation)
  const services = found instanceof Promise ? await found : found
  const key = writes && caller ? http.header('idempotency-key') : undefined
  answered.status = success
  if (key === undefined || !caller) {
    const written = await finish(services, await begin?.(services))
    if (!writes && !http.takeRoom(written)) throw fail(429, 'answers_unread', host.unread.retrySeconds)
    http.mayCompress = !writes
    return written
  }
  const kept = await host.once({
    services,
    caller,
    key,
    fingerprint: `${route.path}\n${JSON.stringify(input)}`,
    on: route.operation.on,
    audience: route.operation.audience,
    scope: () => scope,
    status: success,
    begin,
    finish: async (services, begun) => String(await finish(services, begun)),
  })
  if (kept.isReplay) http.answerHeader('idempotency-replayed', 'true')
  answered.status = kept.status
  return kept.body
}

function readable(body: () => Record<string, unknown> | UnreadableBody) {
  try {
    const given = body()
    return typeof given === 'string' ? undefined : given
  } catch {
    // It was dropped because too much was being received.
    return undefined
  }
}

/** The steps of a call. The first one runs in the scope of the operation. */
export function stepsOf<A extends Api>(
  { path, operation: { on, audience, writes } }: Pick<Route<A>, 'path' | 'operation'>,
  { input, check, begin, handle }: Accepted<A>,
  call: Omit<Given<A>, 'services' | 'failOf'>,
  within: Host<A>['within'],
) {
  const { caller } = call
  const given = (services: A['services']) => ({ ...call, services, failOf: decidedBy('handler', path) })
  const inScope = (work: Accepted<A>['handle']) => async (services: A['services']) => {
    await check?.(given(services))
    if (on === undefined || caller === undefined) return work(given(services))
    return within(
      { on, audience, writes: writes ?? false, input, caller, services, failOf: decidedBy('scope', path) },
      (scope) => work({ ...given(services), scope }),
    )
  }
  return {
    begin: begin && inScope(begin),
    handle: begin
      ? (services: A['services'], begun?: unknown) => handle(given(services), begun)
      : inScope(handle),
  }
}

const decidedBy =
  (by: Decision['by'], path: string): Given<Api>['failOf'] =>
  (failures) =>
    failOf(failures, (failure) => decisions.publish({ path, failure, by } satisfies Decision))

/** The fields of the body, with missing ones from the query where that is allowed. */
function withQuery(body: Record<string, unknown>, url: string, names: readonly string[] = []) {
  const missing = names.filter((name) => (body[name] ?? '') === '')
  if (missing.length === 0 || !url.includes('?')) return body
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  return {
    ...body,
    ...Object.fromEntries(missing.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))),
  }
}
