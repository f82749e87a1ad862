import { hash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '#config.ts'
import { forwardingHeader } from '#contract/forwarding.ts'
import type { Unread } from '#contract/unread.ts'
import type { FairQueue } from '#database/fair-queue.ts'

/** What an instance shows of itself. */
interface Shown {
  queues: readonly FairQueue[]
  pools: Record<string, { readonly connections: number; readonly running: number }>
  unread: Unread
  streams(): number
  keptBoards(): { boards: number; bytes: number }
  /** The same on all instances; read when they are asked for. */
  backlog(): Promise<{ dead: number; due: number; late_seconds: number } | undefined>
  rollouts(): Promise<readonly { status: string; count: number }[]>
}

/** `/metrics` for Prometheus: with the token, or from loopback if the service is not public. A proxied request does not count as loopback. */
export function addMetrics(
  app: FastifyInstance,
  { metricsToken, isPublic }: Pick<Config, 'metricsToken' | 'isPublic'>,
  { queues, pools, unread, streams, keptBoards, backlog, rollouts }: Shown,
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
  const show = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `cardinal_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  show('unread_bytes', 'Answers that their readers have not taken yet', () => unread.total())
  show('streams', 'Event streams that are open', streams)
  show('kept_boards', 'Boards that are kept in memory', () => keptBoards().boards)
  show('kept_board_bytes', 'Memory of the boards that are kept', () => keptBoards().bytes)
  showPools(registry, pools)
  showDatabase(registry, backlog, rollouts)
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

function showPools(registry: Registry, pools: Shown['pools']) {
  const help = {
    running: 'Statements and transactions that PostgreSQL has not answered yet',
    connections: 'Connections that the pool may open',
  }
  for (const name of ['running', 'connections'] as const)
    new Gauge({
      name: `cardinal_pool_${name}`,
      help: help[name],
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, state] of Object.entries(pools)) this.set({ pool }, state[name])
      },
    })
}

/** Figures of the database. When it does not answer soon, the other metrics matter most. */
function showDatabase(registry: Registry, backlog: Shown['backlog'], rollouts: Shown['rollouts']) {
  const soon = <Result>(work: Promise<Result>) =>
    Promise.race([work, delay<undefined>(1000)]).catch(() => undefined)
  const register = { registers: [registry] }
  /** Read once for all of them. */
  let reading: ReturnType<Shown['backlog']> | undefined
  const readTogether = () => {
    reading ??= soon(backlog()).finally(() => {
      reading = undefined
    })
    return reading
  }
  const figures = {
    jobs_dead: { help: 'Jobs that failed in every attempt', of: 'dead' },
    jobs_due: { help: 'Jobs whose time has come', of: 'due' },
    jobs_late_seconds: { help: 'How long the first of the jobs that are due has waited', of: 'late_seconds' },
  } as const
  for (const [name, { help, of }] of Object.entries(figures))
    new Gauge({
      name: `cardinal_${name}`,
      help,
      ...register,
      async collect() {
        const read = await readTogether()
        if (read === undefined) this.reset()
        else this.set(read[of])
      },
    })
  new Gauge({
    name: 'cardinal_rollouts',
    help: 'Rollouts that have begun and not ended, by status',
    labelNames: ['status'],
    ...register,
    async collect() {
      const read = await soon(rollouts())
      this.reset()
      for (const { status, count } of read ?? []) this.set({ status }, count)
    },
  })
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
