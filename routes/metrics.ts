import { hash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#config.ts'
import { forwardingHeader } from '#contract/forwarding.ts'
import type { Unread } from '#contract/unread.ts'
import type { FairQueue } from '#database/fair-queue.ts'

/** `/metrics` for Prometheus: with the token, or from loopback if the service is not public. A proxied request does not count as loopback. */
export function addMetrics(
  app: FastifyInstance,
  { metricsToken, isPublic }: Pick<Config, 'metricsToken' | 'isPublic'>,
  { queues, unread, deadJobs }: { queues: readonly FairQueue[]; unread: Unread; deadJobs(): Promise<number> },
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  showQueues(registry, queues)
  const seconds = new Histogram({
    name: 'cardinal_answer_seconds',
    help: 'Time to answer an operation',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'cardinal_unread_bytes',
    help: 'Answers that their readers have not taken yet',
    registers: [registry],
    collect() {
      this.set(unread.total())
    },
  })
  new Gauge({
    name: 'cardinal_jobs_dead',
    help: 'Jobs that failed in every attempt',
    registers: [registry],
    async collect() {
      // When the database does not answer soon, the other metrics matter most.
      const count = await Promise.race([deadJobs(), delay<undefined>(1000)]).catch(() => undefined)
      if (count === undefined) this.reset()
      else this.set(count)
    },
  })
  const jobs = new Counter({
    name: 'cardinal_jobs_total',
    help: 'Attempts at background jobs on this instance, by outcome: done, failed (tried again later) or dead (not again)',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  app.get('/metrics', async (request, reply) => {
    const isAllowed =
      metricsToken === undefined ? !isPublic && isFromHere(request) : hasToken(request, metricsToken)
    if (!isAllowed) return reply.code(403).type('text/plain').send('Metrics need the token.\n')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  const children = new Map<string, Histogram.Internal<'operation' | 'status'>>()
  return {
    countJob: (job: string, outcome: string) => jobs.inc({ job, outcome }),
    observe(operation: string, status: number, milliseconds: number) {
      const key = `${status}${operation}`
      const child = children.get(key) ?? seconds.labels(operation, String(status))
      children.set(key, child)
      child.observe(milliseconds / 1000)
    },
  }
}

function showQueues(registry: Registry, queues: readonly FairQueue[]) {
  const help = {
    running: 'Statements and transactions of requests that run',
    waiting: 'Statements and transactions of requests that wait for their turn',
  }
  for (const name of ['running', 'waiting'] as const)
    new Gauge({
      name: `cardinal_database_${name}`,
      help: help[name],
      registers: [registry],
      collect() {
        this.set(queues.reduce((sum, queue) => sum + queue[name], 0))
      },
    })
  new Counter({
    name: 'cardinal_database_refused_total',
    help: 'Requests that got no turn: too many were waiting (full), it took too long (late), or they hung up (gone)',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { refused } of queues)
        for (const [reason, count] of Object.entries(refused)) this.inc({ reason }, count)
    },
  })
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const digest = (value: string) => hash('sha256', value, 'buffer')
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = forwardingHeader(headers) !== undefined
  return !isForwarded && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? '')
}
