// Traces of requests, jobs and their statements for an OpenTelemetry collector, as OTLP over HTTP. service.ts loads it only if it is configured.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import { type SentStatement, sentStatements } from '#database/sent-statements.ts'
import type { JobKind } from './jobs/queue.ts'
import type { Log } from './log.ts'

type Attributes = Record<string, string | number>

interface Span {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: (typeof kinds)[keyof typeof kinds]
  startedAt: number
  endedAt: number
  attributes: Attributes
  isError: boolean
}

/** Numbers of the protocol. */
const kinds = { internal: 1, server: 2, client: 3 } as const
const errorStatus = 2

const flushMilliseconds = 2_000
const mostAtOnce = 500
/** Beyond it spans are dropped, because a collector that hangs must not fill the memory. */
const mostWaiting = 5_000
const longestSendMilliseconds = 10_000

export function startTracing(
  { url, headers, serviceName, share }: NonNullable<Config['tracing']>,
  app: FastifyInstance,
  log: Log,
) {
  /** Undefined outside of requests and jobs, and for requests and jobs that are not sampled. */
  const current = new AsyncLocalStorage<Span | undefined>()
  const requests = new WeakMap<FastifyRequest, Span>()
  const waiting: Span[] = []
  let hasWarned = false

  function begin(name: string, kind: Span['kind'], parent?: Pick<Span, 'traceId' | 'spanId'>): Span {
    return {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: parent?.spanId,
      name,
      kind,
      startedAt: now(),
      endedAt: 0,
      attributes: {},
      isError: false,
    }
  }

  function end(span: Span, attributes: Attributes, isError: boolean) {
    if (waiting.length >= mostWaiting) return
    Object.assign(span.attributes, attributes)
    waiting.push(Object.assign(span, { endedAt: now(), isError }))
    if (waiting.length === mostAtOnce) void flush()
  }

  async function flush() {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, mostAtOnce)
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(wireRequest(serviceName, spans)),
          signal: AbortSignal.timeout(longestSendMilliseconds),
        })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`status ${response.status}`)
        hasWarned = false
      } catch (error) {
        if (!hasWarned) log.warn({ error }, 'traces could not be sent; those of this time are lost')
        hasWarned = true
        return
      }
    }
  }
  const flushing = setInterval(flush, flushMilliseconds)
  flushing.unref()

  app.addHook('onRequest', (request, _reply, done) => {
    const caller = callerOf(request)
    if (caller ? !caller.isDrawn : Math.random() >= share) return current.run(undefined, done)
    const span = begin(request.method, kinds.server, caller)
    requests.set(request, span)
    current.run(span, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = requests.get(request)
    const route = request.routeOptions.url ?? ''
    // Operations share one route, and their addresses hold no ids.
    const path = route.endsWith('/*') ? request.url.split('?')[0] : route
    // Some answers are written without Fastify.
    const status = reply.raw.statusCode
    if (span) {
      span.name = `${request.method} ${path}`
      const attributes: Attributes = {
        'http.request.method': request.method,
        'http.response.status_code': status,
        ...(path && { 'http.route': path }),
      }
      end(span, attributes, status >= 500)
    }
    done()
  })

  const onStatement = (message: unknown) => {
    const statement = message as SentStatement
    const parent = current.getStore()
    if (!parent) return
    const text = statement.text.trim().replace(/\s+/g, ' ')
    const span = begin(/^\w+/.exec(text)?.[0].toLowerCase() ?? 'statement', kinds.client, parent)
    statement.ended = (error) =>
      end(
        span,
        { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 2_000) },
        error !== undefined,
      )
  }
  sentStatements.subscribe(onStatement)

  return {
    /** Called when an answer is known, in the context of its request. */
    note({ requestId }: { requestId: string }) {
      const span = current.getStore()
      if (span) span.attributes['cardinal.request_id'] = requestId
    },
    /** The same jobs, each attempt with a trace of its own. */
    jobs: (given: Record<string, JobKind>): Record<string, JobKind> =>
      Object.fromEntries(
        Object.entries(given).map(([name, kind]) => [
          name,
          {
            ...kind,
            work(...args: Parameters<JobKind['work']>) {
              if (Math.random() >= share) return kind.work(...args)
              const span = begin(`job ${name}`, kinds.internal)
              return current.run(span, async () => {
                try {
                  const result = await kind.work(...args)
                  end(span, {}, false)
                  return result
                } catch (error) {
                  end(span, {}, true)
                  throw error
                }
              })
            },
          },
        ]),
      ),
    async stop() {
      clearInterval(flushing)
      sentStatements.unsubscribe(onStatement)
      await flush()
    },
  }
}

/** In milliseconds since 1970, with fractions. */
const now = () => performance.timeOrigin + performance.now()

/** The trace that a trusted proxy has begun; anybody else could put their own ids and decisions into it. */
function callerOf({ ips, headers }: FastifyRequest) {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(headers['traceparent'] ?? '')) ?? []
  if (traceId === undefined || spanId === undefined || (ips?.length ?? 0) < 2) return undefined
  return { traceId, spanId, isDrawn: (Number.parseInt(flags as string, 16) & 1) === 1 }
}

const wireAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))

const nanoseconds = (milliseconds: number) => `${BigInt(Math.round(milliseconds * 1_000)) * 1_000n}`

/** An ExportTraceServiceRequest in the JSON of OTLP. */
const wireRequest = (serviceName: string, spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: wireAttributes({ 'service.name': serviceName }) },
      scopeSpans: [
        {
          scope: { name: 'cardinal' },
          spans: spans.map(({ startedAt, endedAt, attributes, isError, ...span }) => ({
            ...span,
            startTimeUnixNano: nanoseconds(startedAt),
            endTimeUnixNano: nanoseconds(endedAt),
            attributes: wireAttributes(attributes),
            ...(isError && { status: { code: errorStatus } }),
          })),
        },
      ],
    },
  ],
})
