// Works on the jobs in the database, shared with all other instances; each job is done by one of them. Started by service.ts.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import {
  addJobs,
  failJob,
  finishJob,
  hurryJob,
  keepJobs,
  mostAttempts,
  returnJob,
  type TakenJob,
  takeJob,
} from './table.ts'

export interface Task {
  log: Log
  /** Aborted when the service stops, the time is up, or another instance has the job; the work should end after its current statement. */
  signal: AbortSignal
}

/** The work may start again from the beginning if an instance is killed in the middle. */
export interface JobKind {
  work(db: Database, task: Task): Promise<unknown>
  everySeconds: number
  limitSeconds?: number
}

export type JobOutcome = 'done' | 'failed' | 'dead'

interface Options {
  log: Log
  onOutcome?(kind: string, outcome: JobOutcome): void
}

/** Uses two of the four background connections; rollouts use the others. */
const lanes = 2
const lookMilliseconds = 2_000
const keepMilliseconds = 3_000
const usualLimitSeconds = 600
const longestStopMilliseconds = 5_000

export function startJobs(db: Database, kinds: Record<string, JobKind>, { log, onOutcome }: Options) {
  const known = Object.entries(kinds).map(([name, { everySeconds }]) => ({
    name,
    every_seconds: everySeconds,
  }))
  const stopping = new AbortController()
  const running = new Map<string, AbortController>()
  /** What ends the pauses of lanes without a job. */
  const pauses = new Set<AbortController>()
  let isScheduled = false

  async function next(): Promise<TakenJob | undefined> {
    if (!isScheduled) await addJobs(db, Object.keys(kinds))
    isScheduled = true
    return takeJob(db, known)
  }

  async function lane() {
    while (!stopping.signal.aborted) {
      const job = await next().catch(
        (error) => void log.warn({ error }, 'jobs could not be read; trying again'),
      )
      if (job) await workOn(job, kinds[job.kind] as JobKind)
      else if (!stopping.signal.aborted) await pause()
    }
  }

  async function pause() {
    const end = new AbortController()
    pauses.add(end)
    await delay(lookMilliseconds, undefined, { signal: end.signal, ref: false }).catch(() => {})
    pauses.delete(end)
  }

  const endPauses = () => pauses.forEach((end) => void end.abort())

  async function workOn(job: TakenJob, { work, everySeconds, limitSeconds = usualLimitSeconds }: JobKind) {
    const control = new AbortController()
    const { signal } = control
    running.set(job.holder, control)
    if (stopping.signal.aborted) control.abort(stopping.signal.reason)
    const limit = setTimeout(
      () => control.abort(new Error(`took longer than ${limitSeconds} seconds`)),
      limitSeconds * 1000,
    )
    const working =
      job.attempts > mostAttempts
        ? Promise.reject(new Error('every instance that worked on it was killed'))
        : Promise.resolve().then(() => work(db, { log, signal }))
    try {
      const outcome = await untilAborted(working, signal).then(
        () => ({ isDone: true }) as const,
        (error) => ({ isDone: false, error }) as const,
      )
      if (outcome.isDone) {
        await finishJob(db, job, everySeconds)
        onOutcome?.(job.kind, 'done')
      } else if (stopping.signal.aborted) {
        // Work that ignores the signal is not awaited; its lease expires by itself.
        const hasEnded = working.then(
          () => true,
          () => true,
        )
        if (await Promise.race([hasEnded, delay(longestStopMilliseconds, false, { ref: false })]))
          await returnJob(db, job)
      } else await fail(job, outcome.error, everySeconds)
    } catch (error) {
      log.warn({ error, job: job.kind }, 'the outcome of a job could not be stored; it will run again')
    } finally {
      clearTimeout(limit)
      running.delete(job.holder)
    }
  }

  async function fail(job: TakenJob, error: unknown, everySeconds: number) {
    const isDead = await failJob(
      db,
      job,
      error instanceof Error ? error.message : String(error),
      everySeconds,
    )
    const line = { error, job: job.kind, id: job.id, attempt: job.attempts }
    if (isDead) log.error(line, 'a job is dead: see cardinal jobs')
    else log.warn(line, 'a job failed and will be tried again')
    onOutcome?.(job.kind, isDead ? 'dead' : 'failed')
  }

  async function keep() {
    if (running.size === 0) return
    const before = [...running]
    const kept = await keepJobs(db, [...running.keys()])
    for (const [holder, control] of before)
      if (!kept.has(holder)) control.abort(new Error('another instance has taken it over'))
  }

  const keeping = setInterval(() => {
    keep().catch((error) => log.warn({ error }, 'the leases of running jobs could not be renewed'))
  }, keepMilliseconds)
  keeping.unref()
  const atWork = Promise.all(Array.from({ length: lanes }, lane))
  return {
    /** Does a job now instead of at its next time. */
    hurry(kind: string) {
      hurryJob(db, kind).then(endPauses, (error) =>
        log.warn({ error, job: kind }, 'a job comes at its usual time'),
      )
    },
    async stop() {
      stopping.abort(new Error('the service stops'))
      endPauses()
      for (const control of running.values()) control.abort(stopping.signal.reason)
      await atWork
      clearInterval(keeping)
    },
  }
}

function untilAborted(working: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([working, aborted])
}
