// Puts the parts together: one HTTP server on one database. cli/serve.ts and the tests start it.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { recordAnswers, recordRefusal } from '#api/answers.ts'
import { startOnce } from '#api/once.ts'
import type { CardinalApi, SharedServices } from '#api/operation.ts'
import { operations } from '#api/registry.ts'
import { within } from '#api/scope.ts'
import { failureAfter, startTurns } from '#api/turns.ts'
import { startBoundedAudit } from '#audit/bounded.ts'
import { startBilling } from '#billing/billing.ts'
import { loadCatalogue } from '#billing/catalogue.ts'
import { createKeptBoards, type KeptBoards } from '#boards/kept-boards.ts'
import type { Config } from '#config.ts'
import type { Gate } from '#contract/admission.ts'
import { usualLimits } from '#contract/body-limits.ts'
import type { FastifyExchange } from '#contract/exchange.ts'
import type { Operation } from '#contract/operation.ts'
import { memoryCounter, redisCounter } from '#contract/rate-limit.ts'
import { mountOperations, v2Path } from '#contract/router.ts'
import { unparsableAnswerer } from '#contract/unparsable.ts'
import { unreadAnswers } from '#contract/unread.ts'
import type { Database } from '#database/connect.ts'
import { openPools, type Pools, replicaConnections } from '#database/pools.ts'
import { type Address, serverAddress } from '#database/server-address.ts'
import { startCounting } from '#fleet/follower.ts'
import { type Caller, callerIdentifier } from '#identity/caller.ts'
import { knownDevices } from '#identity/devices.ts'
import { startSingleSignOn } from '#identity/openid.ts'
import { startPasskeys } from '#identity/passkeys.ts'
import { startPasswords } from '#identity/passwords.ts'
import { mailSecrets } from '#identity/sealed-link.ts'
import { keysForBackup, readKeys } from '#identity/secret-keys.ts'
import { secretsWith } from '#identity/secrets.ts'
import { startFollower } from '#inbox/follower.ts'
import { speechIn } from '#languages/speech.ts'
import { startLive } from '#live/live.ts'
import { startMail } from '#mail/mail.ts'
import { mailChannel } from '#mail/queue.ts'
import { countUnfinished } from '#rollouts/rollout.ts'
import { startRolloutWorker } from '#rollouts/worker.ts'
import { addCheckout } from '#routes/checkout.ts'
import { closingOf } from '#routes/closing.ts'
import { guardEntrance, limitedServer } from '#routes/entrance.ts'
import { addEventStream } from '#routes/event-stream.ts'
import { addFont } from '#routes/font.ts'
import { addHealth } from '#routes/health.ts'
import { addMetrics } from '#routes/metrics.ts'
import { addMyData } from '#routes/my-data.ts'
import { addOrderPage } from '#routes/order.ts'
import { addOutbox } from '#routes/outbox.ts'
import { addPhotos } from '#routes/photos.ts'
import { addReference } from '#routes/reference.ts'
import { addUsualHeaders, headersOfAll } from '#routes/security-headers.ts'
import { addStripeWebhook } from '#routes/stripe-webhook.ts'
import { holdPages } from '#routes/unread.ts'
import { addUnsubscribe } from '#routes/unsubscribe.ts'
import { webApp } from '#routes/web-app.ts'
import { StartFailure } from '#start-failure.ts'
import { startReader } from '#text/read-aside.ts'
import { startJobs } from './jobs/queue.ts'
import { repeatingJobs } from './jobs/repeating.ts'
import { readBacklog } from './jobs/table.ts'
import type { Log } from './log.ts'

export const basePath = '/api'

const operationAt = (path: string) =>
  operations.find((one) => [one.path, v2Path(one.path)].includes(path.slice(basePath.length)))

interface Service {
  /** The address it listens on, without a path. */
  url: string
  db: Database
  keptBoards: KeptBoards
  /** Drains, stops accepting requests, finishes the running ones unless `hurry` is aborted, and closes the connections. */
  stop(hurry?: AbortSignal): Promise<void>
}

export async function startService(config: Config, address: Address, log: Log): Promise<Service> {
  // First, because a mistake in it ends the start.
  const catalogue = await loadCatalogue(config.catalogueFile)
  const backups = await backupsOf(config)
  const pools = openPools(address, {
    onNews(projectIds) {
      live.announce(projectIds)
      if (config.inbox) follower.announce(projectIds)
      if (config.figures) counting.announce(projectIds)
    },
    onEffectFailure: (error) => log.error({ error }, 'an effect of a committed change failed'),
  })
  const passwords = startPasswords(config)
  const reader = startReader()
  const redis = config.redisUrl ? await connectRedis(config.redisUrl, log) : undefined
  const app = createApp(config, log, {
    gate: () => gate,
    answer: (request, reply) => void answer(request, reply),
  })
  // Before all other hooks, so that it sees every request; loaded only where it is used.
  const tracing = config.tracing && (await import('./tracing.ts')).startTracing(config.tracing, app, log)
  guardEntrance(app, config, () => gate, { operationAt, log })
  addUsualHeaders(app)
  const unread = unreadAnswers(config.unread)
  holdPages(app, unread)
  const keptBoards = createKeptBoards()
  const live = await startLive(pools.live, log, keptBoards.forget)
  const follower = startFollower(pools.inbox, { log, tell: live.tell })
  const counting = startCounting(pools.inbox, log)
  const replica = await openReplicaOf(config, pools, log)
  const turns = startTurns(pools, reader, replica)
  const rollouts = startRolloutWorker(pools.background, {
    ...{ log, quotas: config.quotas },
    watches: !config.figures,
  })
  const baseUrl = () => config.publicUrl ?? app.listeningOrigin
  const paying = pools.writes.inTurn((work) => turns.queues.writes.enter('payments', '')(work))
  const billing = await startBilling(config, catalogue, paying, baseUrl)
  const boundedAudit = startBoundedAudit(pools.signIn, log)
  const secrets = secretsWith(() => readKeys(config) ?? [])
  const mail = startMail(config.mail, {
    baseUrl,
    open: mailSecrets(secrets).open,
  })
  const repeating = repeatingJobs({
    ...{ config, orders: billing.orders, mail, secrets },
    ...{ tell: live.tell, announce: follower.announce },
  })
  const kinds = { ...repeating, ...backups }
  const metrics = addMetrics(app, config, {
    queues: Object.values(turns.queues),
    pools: { ...pools.all, ...(replica && { replica: replica.db }) },
    unread,
    streams: live.streams,
    keptBoards: keptBoards.size,
    // A pool that does not wait for rollouts.
    backlog: () => readBacklog(pools.identity, Object.keys(kinds)),
    rollouts: () => countUnfinished(pools.identity),
  })
  const services: SharedServices = {
    boundedAudit,
    passwords,
    passkeys: startPasskeys(pools.signIn, baseUrl),
    singleSignOn:
      config.singleSignOn &&
      startSingleSignOn(config.singleSignOn, { redirectUri: () => `${baseUrl()}/single-sign-on`, log }),
    secrets,
    devices: knownDevices(pools.signIn),
    lifetimes: config.sessions,
    rollouts,
    billing,
    log,
    readTogether: turns.readTogether,
    forNewMembers: turns.forNewMembers,
    signInDb: pools.signIn,
    mailWay: mail.way,
    signUp: config.signUp,
    quotas: config.quotas,
    keptBoards,
    tell: live.tell,
    tellPresence: live.tellPresence,
  }
  const gate: Gate<Caller, Operation<CardinalApi>> = {
    identify: callerIdentifier(pools.identity, services, {
      lifetimes: config.sessions,
      isPublic: config.isPublic,
    }),
    count: redis ? redisCounter(redis, 'cardinal:limit:') : memoryCounter(),
    limits: { perUser: config.rateLimit, perAddress: config.anonymousRateLimit },
    unread,
    speechIn,
    failureAfter,
  }
  const record = recordAnswers(log, boundedAudit, metrics.observe)
  const servicesFor = turns.servicesFor(services)
  const answer = mountOperations<CardinalApi>(app, basePath, {
    ...gate,
    operations,
    servicesFor,
    within,
    once: startOnce(),
    onAnswer(answered) {
      tracing?.note(answered)
      record(answered)
      health.note(answered.error)
    },
  })
  const answerPage = webApp(gate)
  app.setNotFoundHandler((request, reply) =>
    request.url.startsWith(`${basePath}/`) || request.url === basePath
      ? answer(request, reply)
      : answerPage(request, reply),
  )
  const onRefused: Parameters<typeof addEventStream>[4]['onRefused'] = (refused) =>
    recordRefusal(log, boundedAudit, { ...refused, on: 'project' })
  const { readTogether } = turns
  addEventStream(app, basePath, gate, live, { log, onRefused, readTogether })
  addCheckout(app, billing, paying, gate)
  addOrderPage(app, billing, paying, gate)
  addOutbox(app, mail, pools.reads, gate)
  addUnsubscribe(app, pools.writes, gate)
  const readFor = async (caller: Caller, http: FastifyExchange) => (await servicesFor(caller, http, {})).db
  addPhotos(app, readFor, gate, log)
  const readLong = async (caller: Caller, http: FastifyExchange) =>
    (await servicesFor(caller, http, { fromReplica: true })).db
  addMyData(app, readLong, gate, log)
  addStripeWebhook(app, basePath, billing, paying, { gate, log })
  const closing = closingOf(app, config.drainSeconds)
  const health = addHealth(app, basePath, pools.identity, gate, closing)
  addReference(app, basePath, gate, config.publicUrl)
  addFont(app)
  const disconnect = () =>
    Promise.all([
      passwords.close(),
      reader.close(),
      pools.end(),
      replica?.stop(),
      redis?.quit().catch(() => redis.disconnect()),
    ])

  const stopWorkers = () => Promise.all([rollouts.stop(), follower.stop().then(live.stop), counting.stop()])
  const url = await listen(app, config).catch(async (error) => {
    await stopWorkers()
    await disconnect()
    throw error
  })
  const jobs = startJobs(pools.background, tracing?.jobs(kinds) ?? kinds, {
    log,
    onOutcome: metrics.countJob,
  })
  // The start does not wait for it: until it listens, mails are sent at the usual times of the job.
  void pools.live.listen(
    mailChannel,
    () => jobs.hurry('sendMails'),
    () => {},
  )
  return {
    url,
    db: pools.writes,
    keptBoards,
    async stop(hurry) {
      await closing.drain(hurry)
      await Promise.all([jobs.stop(), stopWorkers(), closing.close(hurry)])
      await boundedAudit.stop()
      mail.close()
      await disconnect()
      await tracing?.stop()
    },
  }
}

/** The server without its routes, which need what is put together later. */
function createApp(
  config: Config,
  log: Log,
  later: {
    gate(): Gate<Caller, Operation<CardinalApi>>
    answer(request: FastifyRequest, reply: FastifyReply): void
  },
): FastifyInstance {
  return fastify({
    serverFactory: limitedServer(config, log),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // Requests get their id and their log line in contract/router.ts.
    logger: false,
    forceCloseConnections: 'idle',
    // A request on an open connection is answered as usual while the service stops.
    return503OnClosing: false,
    requestTimeout: 60_000,
    // For routes that are not operations; operations have limits of their own.
    bodyLimit: usualLimits.bytes,
    frameworkErrors: (_error, request, reply) => later.answer(request, reply),
    clientErrorHandler: unparsableAnswerer(later.gate, headersOfAll(config)),
  })
}

/** The job that makes backups, if it is wanted. Loaded only then, because many services make no backups of their own. */
async function backupsOf(config: Config) {
  if (!config.backups) return undefined
  const { scheduledBackups } = await import('#backup/scheduled.ts')
  return scheduledBackups(config.backups, () => keysForBackup(config))
}

/** The replica that answers some reads, if there is one. Loaded only then. */
async function openReplicaOf({ replicaUrl }: Config, pools: Pools, log: Log) {
  if (replicaUrl === undefined) return undefined
  const { openReplica } = await import('#database/replica.ts')
  return openReplica(pools.identity, serverAddress(replicaUrl, 'CARDINAL_REPLICA_URL'), {
    connections: replicaConnections,
    onLost: (error) => log.warn({ error }, 'the replica does not follow the primary, which answers for it'),
  })
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartFailure(
        `Port ${port} on ${host} is in use; set PORT to another one, or stop what listens there.`,
      )
    if (syscall === undefined) throw error
    throw new StartFailure(`Cannot listen on ${host}:${port} (${code}); check HOST and PORT.`)
  }
}

async function connectRedis(url: string, log: Log): Promise<Redis> {
  // Loaded on demand, because most services run without it.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: 500 })
  redis.on('error', (error) => log.warn({ error }, 'Redis does not answer; this instance counts for itself'))
  return redis
}
