import { codeOf, type Database, lockNotAvailable } from '#database/connect.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import type { Log } from '../log.ts'
import { workOnBatch } from './batch.ts'
import { closeRollout } from './closing.ts'
import { type RolloutResult, type RolloutStatus, readResult } from './rollout.ts'
import { pauseUndone } from './undone.ts'

/** A rollout without progress for this long was abandoned by an instance that ended; one of the future was, before the clock went back. */
const abandonedSeconds = 3
const lookMilliseconds = 1000
/** How often to look whether customers undo a rollout. */
const watchMilliseconds = 5000
/** How often to look again while another instance works on the last batches, since it may fail. */
const waitMilliseconds = 100
/** Of a rollout that a call waits for; they have different projects, so they do not wait for each other. */
const hurriedBatchesAtOnce = 2

/** The result of a rollout that has ended, or that continues elsewhere because this service stops. */
export interface Ended extends RolloutResult {
  /** Undefined for a plan that was discarded. */
  status: RolloutStatus | undefined
}

/** While it has one of these, an instance works on it. */
const isWorkedOn: readonly (RolloutStatus | undefined)[] = ['planning', 'running', 'canceling']

/** Works on rollouts that this instance started or another one abandoned. */
export interface RolloutWorker {
  /** Works until the rollout has ended or the service stops; another instance or the next start then continues. */
  finish(rolloutId: number): Promise<Ended>
  /** Works on it without anybody who waits, and so on one batch at a time, which people in projects notice less. */
  begin(rolloutId: number): void
  stop(): Promise<void>
}

export function startRolloutWorker(
  db: Database,
  {
    log,
    quotas = usualQuotas,
    watches = false,
  }: {
    log: Log
    quotas?: Quotas
    /** Whether it looks for rollouts that customers undo, because no figures follow what they do. */
    watches?: boolean
  },
): RolloutWorker {
  const working = new Map<number, Promise<Ended>>()
  /** Whose status is being read: it may lack what was decided since. */
  const closing = new Set<number>()
  let isStopping = false

  /** False if no batch is free. A batch whose project another transaction has locked for too long is tried again until it is free. */
  const workOnNext = async (rolloutId: number): Promise<boolean> =>
    (await unlessLocked(workOnBatch(db, rolloutId, { quotas, log }), 'locked')) !== undefined

  /** Looks for more than one batch whenever one is done, because it may have been split. */
  async function workOnBatches(rolloutId: number, batchesAtOnce: number): Promise<void> {
    const atWork = new Set<Promise<boolean>>()
    try {
      for (let isMore = true; ; isMore = await Promise.race(atWork)) {
        while (isMore && !isStopping && atWork.size < batchesAtOnce) {
          const work = workOnNext(rolloutId).finally(() => atWork.delete(work))
          atWork.add(work)
        }
        if (atWork.size === 0) return
      }
    } finally {
      await Promise.allSettled(atWork)
    }
  }

  async function work(rolloutId: number, batchesAtOnce: number): Promise<Ended> {
    for (;;) {
      await workOnBatches(rolloutId, batchesAtOnce)
      const ended = await close(rolloutId)
      if (ended) return ended
      await new Promise((resolve) => setTimeout(resolve, waitMilliseconds))
    }
  }

  /** Undefined if there is more to do. */
  async function close(rolloutId: number): Promise<Ended | undefined> {
    closing.add(rolloutId)
    try {
      const status = await unlessLocked(closeRollout(db, rolloutId), 'running')
      if (!isStopping && isWorkedOn.includes(status)) return undefined
      return { status, ...(await readResult(db, rolloutId)) }
    } finally {
      closing.delete(rolloutId)
    }
  }

  function finish(rolloutId: number, batchesAtOnce = hurriedBatchesAtOnce): Promise<Ended> {
    const present = working.get(rolloutId)
    if (present && (isStopping || !closing.has(rolloutId))) return present
    const again = () => finish(rolloutId, batchesAtOnce)
    // It may have been resumed meanwhile.
    if (present) return present.then(again, again)
    const started = work(rolloutId, batchesAtOnce).finally(() => working.delete(rolloutId))
    working.set(rolloutId, started)
    return started
  }

  async function takeUp() {
    const abandoned = await db.sql<{ id: number }[]>`
      select id from rollouts where finished_at is null and status in ('planning', 'running', 'canceling') and worked_at not between
        now() - make_interval(secs => ${abandonedSeconds}) and now() + make_interval(secs => ${abandonedSeconds})
      union all select id from rollouts where next_stage_at <= now() and status = 'waiting'`
    for (const { id } of abandoned) begin(id)
  }

  function begin(rolloutId: number) {
    finish(rolloutId, 1).catch((error) =>
      log.warn({ error, rolloutId }, 'a rollout could not continue; it is tried again'),
    )
  }

  const looking = setInterval(() => {
    takeUp().catch((error) => log.warn({ error }, 'abandoned rollouts could not be looked for'))
  }, lookMilliseconds)
  looking.unref()
  let watch: Promise<void> = Promise.resolve()
  const watching = watches
    ? setInterval(() => {
        watch = watch
          .then(() => pauseUndone(db))
          .catch((error) => log.warn({ error }, 'whether rollouts were undone could not be looked at'))
      }, watchMilliseconds)
    : undefined
  watching?.unref()

  return {
    finish: (rolloutId) => finish(rolloutId),
    begin,
    async stop() {
      isStopping = true
      clearInterval(looking)
      clearInterval(watching)
      await watch
      await Promise.allSettled(working.values())
    },
  }
}

/** The result of work, or this instead if it waited in vain for a lock. */
const unlessLocked = <Result, const Instead>(
  work: Promise<Result>,
  instead: Instead,
): Promise<Result | Instead> =>
  work.catch((error) => {
    if (codeOf(error) !== lockNotAvailable) throw error
    return instead
  })
