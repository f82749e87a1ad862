// One function answers every call below the base path, in the order in which docs/decisions.md judges a request.
import { channel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit, type Gate } from './admission.ts'
import { type Body, successWriter } from './bodies.ts'
import { bodyReceiver, isWithoutBody, readBody, unreadable } from './body.ts'
import { FastifyExchange } from './exchange.ts'
import { fail, type Operation, usualMessages } from './operation.ts'
import { refusalOf, Unroutable } from './refusal.ts'
import { validate } from './validate.ts'

export interface KeyedRequest<Caller> {
  services: object
  caller: Caller
  key: string
  /** Address and input, to tell another request with the same key. */
  fingerprint: string
  status: number
  /** What is kept with the key until there is an answer; without it, `finish` is one transaction with the key. */
  begin: ((services: object) => Promise<unknown>) | undefined
  finish(services: object, begun?: unknown): Promise<string>
}

export interface Kept {
  status: number
  body: string
  isReplay: boolean
}

export interface Answered {
  operation: Operation | undefined
  status: number
  userId: number | undefined
  requestId: string
  milliseconds: number
  /** What was asked for, where no operation answers to it. */
  unknown?: string
  error?: unknown
}

/** What handlers fail with by their own decision, as `{ path, status }`; the tests hold it against the declarations. */
export const decisions = channel('contract.decisions')

/** What an API supplies to the machine. */
interface Host<Caller extends { id: number }> extends Gate<Caller> {
  operations: readonly Operation[]
  /** What handlers are given beside input and caller. */
  servicesFor(caller: Caller | undefined, http: FastifyExchange, operation: Operation): object
  /** Runs a write that carries an Idempotency-Key, or gives the answer that it has had. */
  once(request: KeyedRequest<Caller>): Promise<Kept>
  onAnswer(answered: Answered): void
}

interface Route {
  path: string
  operation: Operation
  write(data: unknown): Body
}

export function mountOperations<Caller extends { id: number }>(
  app: FastifyInstance,
  base: string,
  host: Host<Caller>,
) {
  const routes = new Map<string, Route>()
  for (const operation of host.operations) {
    const v2 = v2Path(operation.path)
    routes.set(base + operation.path, {
      path: operation.path,
      operation,
      write: successWriter(operation, 'v1'),
    })
    routes.set(base + v2, { path: v2, operation, write: successWriter(operation, 'v2') })
  }
  app.removeAllContentTypeParsers()
  const receive = bodyReceiver()
  app.addContentTypeParser('application/json', receive)
  app.addContentTypeParser('*', receive)
  const answer = (request: FastifyRequest, reply: FastifyReply) => respond(host, routes, request, reply)
  app.all(`${base}/*`, answer)
  app.setErrorHandler((error, request, reply) => {
    const isUnparsed = error instanceof Error && 'code' in error && unparsed.test(String(error.code))
    if (!isUnparsed) return answerFault(host, error, request, reply)
    request.body = isWithoutBody(request) ? undefined : unreadable
    return answer(request, reply)
  })
  return answer
}

/** What breaks in a page is told to the log alone, like what breaks in an operation. */
function answerFault<Caller extends { id: number }>(
  host: Host<Caller>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const http = new FastifyExchange(request, reply, host.unread)
  const { status, body, cause } = refusalOf(error, http)
  const { requestId } = http
  // Whoever hung up while sending is no fault of ours.
  if (!request.socket.destroyed)
    host.onAnswer({
      operation: undefined,
      status,
      userId: undefined,
      requestId,
      milliseconds: reply.elapsedTime,
      unknown: askedFor(request),
      error: cause,
    })
  return http.answer(status, body)
}

/** The address without what is secret in it: the query, and what a page's address is known by. */
function askedFor({ method, url, routeOptions }: FastifyRequest): string {
  const known = routeOptions.url?.includes(':') ? routeOptions.url : url.split('?')[0]
  return `${method} ${known?.slice(0, 200)}`
}

/** What the HTTP library refuses for its content type (or for having none) before an operation is looked for. */
const unparsed = /^FST_ERR_(CTP|ROUTE_MISSING_CONTENT_TYPE)/

export const v2Path = (path: string) => path.replace('/v1/', '/v2/')

async function respond<Caller extends { id: number }>(
  host: Host<Caller>,
  routes: Map<string, Route>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const startedAt = performance.now()
  const query = request.url.indexOf('?')
  const route = routes.get(query === -1 ? request.url : request.url.slice(0, query))
  const http = new FastifyExchange(request, reply, host.unread)
  const answered: Answered = {
    operation: route?.operation,
    status: 500,
    userId: undefined,
    requestId: http.requestId,
    milliseconds: 0,
    ...(!route && { unknown: askedFor(request) }),
  }
  let body: Body
  try {
    body = await judge(host, route, request, http, answered)
  } catch (error) {
    const refusal = refusalOf(error, http, route?.operation)
    body = refusal.body
    answered.status = refusal.status
    answered.error = refusal.cause
  }
  answered.milliseconds = performance.now() - startedAt
  host.onAnswer(answered)
  return http.answer(answered.status, body)
}

async function judge<Caller extends { id: number }>(
  host: Host<Caller>,
  route: Route | undefined,
  request: FastifyRequest,
  http: FastifyExchange,
  answered: Answered,
): Promise<Body> {
  const operation = route?.operation
  let parsed: Record<string, unknown> | string | undefined
  const body = () => (parsed ??= readBody(request))
  const identity = await admit(host, http, operation, body)
  const { caller } = identity
  answered.userId = caller?.id
  if (!route) throw new Unroutable(404)
  if (request.method !== 'POST') throw new Unroutable(405)
  if (identity.problem) throw fail(400, identity.problem)
  if (route.operation.audience !== 'public') {
    if (!caller) throw fail(401, usualMessages[401])
    if (!identity.isAdmitted) throw fail(403, usualMessages[403])
  }

  const given = body()
  if (typeof given === 'string') throw fail(400, given)
  const validated = validate(route.operation.input, withQuery(given, request.url, route.operation.fromQuery))
  if ('errors' in validated) throw fail(422, validated.errors)

  const input = validated.value
  const services = host.servicesFor(caller, http, route.operation)
  const ownFail: typeof fail = (status, detail) => {
    decisions.publish({ path: route.path, status })
    return fail(status, detail)
  }
  const call = { ...services, input, caller, fail: ownFail, http, alongside: identity.alongside }
  const { begin, handle, writes, success } = route.operation
  const finish = async (services: object, begun?: unknown) =>
    route.write(await handle({ ...call, ...services, begun } as never))
  const key = writes && caller ? http.header('idempotency-key') : undefined
  answered.status = success
  if (key === undefined || !caller) {
    const written = await finish({}, await begin?.(call as never))
    if (!writes && !http.takeRoom(written)) throw fail(429, host.unread.retrySeconds)
    return written
  }
  const kept = await host.once({
    services,
    caller,
    key,
    fingerprint: `${route.path}\n${JSON.stringify(input)}`,
    status: success,
    begin: begin && ((services) => begin({ ...call, ...services } as never)),
    finish: async (services, begun) => String(await finish(services, begun)),
  })
  if (kept.isReplay) http.answerHeader('idempotency-replayed', 'true')
  answered.status = kept.status
  return kept.body
}

/** The body's fields, and those of the query that may stand in for them. */
function withQuery(body: Record<string, unknown>, url: string, names: readonly string[] = []) {
  const missing = names.filter((name) => (body[name] ?? '') === '')
  if (missing.length === 0 || !url.includes('?')) return body
  const query = new URLSearchParams(url.slice(url.indexOf('?')))
  return {
    ...body,
    ...Object.fromEntries(missing.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))),
  }
}
