// The fair queues through which callers share the database and the threads that read descriptions.
import type { Services, SharedServices, Turns } from '#api/operation.ts'
import type { FastifyExchange } from '#contract/exchange.ts'
import { busy, type Failure, fail } from '#contract/failure.ts'
import type { Description } from '#contract/operation.ts'
import { addressKey } from '#contract/rate-limit.ts'
import { failed } from '#contract/refusal.ts'
import { codeOf, diskFull, lockNotAvailable, readOnlyTransaction } from '#database/connect.ts'
import { createFairQueue } from '#database/fair-queue.ts'
import { type Pools, replicaConnections, requestConnections } from '#database/pools.ts'
import type { Replica } from '#database/replica.ts'
import { type Caller, tenantOf } from '#identity/caller.ts'
import { type Reader, readingThreads } from '#text/read-aside.ts'

/** For callers who exceed their share of the database, or who waited in vain for others that change the same project. */
const retryAfterSeconds = 2

/** What callers are told about an error of the database that says what is wrong: nothing of the statement or its transaction was done. */
export function failureAfter(error: unknown): Failure | undefined {
  const code = codeOf(error)
  if (code === lockNotAvailable) return busy(retryAfterSeconds)
  if (code === readOnlyTransaction || code === diskFull) return failed('writes_unavailable', error)
  return undefined
}

export function startTurns(pools: Pools, reader: Reader, replica?: Replica) {
  const refusing = {
    // The same as the statement timeout.
    longestPauseMilliseconds: 30_000,
    // A request that had begun may be partly done.
    refusal: (hasBegun: boolean) => (hasBegun ? fail(500, 'cut_short') : busy(retryAfterSeconds)),
    now: () => performance.now(),
  }
  const ofRequests = { slots: requestConnections, places: 1000, longestWaitMilliseconds: 10_000, ...refusing }
  // A few accounts whose reads take long would otherwise keep all cores busy. Writes are not told from waiting for a lock.
  const ofReads = { ...ofRequests, longMilliseconds: 50 }
  const queues = {
    reads: createFairQueue(ofReads),
    writes: createFairQueue(ofRequests),
    ...(replica && { replica: createFairQueue({ ...ofReads, slots: replicaConnections }) }),
  }
  // Two connections for reads at most, one for each project; waiting requests hold none, and each turn is followed by a rest.
  const fewAtATime = { slots: 2, places: 32, rests: true, ...refusing }
  // By operation and address, on one connection: the other is left to sign-ins, however much strangers ask for. Anyone can make up addresses.
  const strangersQueue = createFairQueue({ ...ofRequests, slots: 1, isAlsoByAge: true })
  const heavyQueue = createFairQueue({ ...fewAtATime, longestWaitMilliseconds: 5000 })
  const largeQueue = createFairQueue({ ...fewAtATime, longestWaitMilliseconds: 10_000 })
  const readingQueue = createFairQueue({
    slots: readingThreads,
    places: 400,
    longestWaitMilliseconds: 5000,
    ...refusing,
  })
  const turnsOf = (
    kind: 'reads' | 'writes',
    tenant: string,
    user: string,
    http?: FastifyExchange,
  ): Turns => ({
    db: pools[kind].inTurn(queues[kind].enter(tenant, user, http)),
    heavy: heavyQueue.enter(tenant, user, http),
    large: largeQueue.enter(tenant, user, http),
  })
  return {
    queues,
    readTogether: (projectId: number) => turnsOf('reads', `project ${projectId}`, 'all'),
    forNewMembers: (projectId: number) => turnsOf('writes', `project ${projectId}`, 'new members').db,
    /** The services of one call: the shared ones, and its own turns. */
    servicesFor:
      (shared: SharedServices) =>
      (
        caller: Caller | undefined,
        http: FastifyExchange,
        { path = '', writes, changes, fromReplica }: Partial<Description>,
      ): Services | Promise<Services> => {
        const [tenant, user] = caller ? [tenantOf(caller), String(caller.id)] : ['nobody', '']
        const inTurn = readingQueue.enter(tenant, user, http)
        const readDescription = onceFor((given: string) => reader.read(given, inTurn))
        const turns = turnsOf(writes || changes ? 'writes' : 'reads', tenant, user, http)
        const own = { ...shared, ...turns, readDescription }
        if (!caller)
          return {
            ...own,
            db: pools.signIn.inTurn(strangersQueue.enter(path, addressKey(http.address), http)),
          }
        if (!fromReplica || !replica || !queues.replica) return own
        const turn = queues.replica.enter(tenant, user, http)
        return replica
          .isCurrent()
          .then((isCurrent) => (isCurrent ? { ...own, db: replica.db.inTurn(turn) } : own))
      },
  }
}

/** Checks of an operation and its handler read the same text. */
function onceFor<Result>(read: (given: string) => Promise<Result>): (given: string) => Promise<Result> {
  let last: { given: string; result: Promise<Result> } | undefined
  return (given) => {
    if (last?.given !== given) last = { given, result: read(given) }
    return last.result
  }
}
