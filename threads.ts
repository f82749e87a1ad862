// Runs jobs on low-priority threads, so that they never delay requests: password hashes and long descriptions.
import { getPriority, setPriority } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

export interface Threads<Job, Result> {
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** A thread holds about 20 MB. */
const usualIdleMilliseconds = 20_000

/** Threads start when there is a job for them, and end when there has been none for a while. */
export function startThreads<Job, Result>(
  module: URL,
  most: number,
  idleMilliseconds = usualIdleMilliseconds,
): Threads<Job, Result> {
  type Waiting = { job: Job; result: PromiseWithResolvers<Result> }
  const workers = new Set<Worker>()
  /** With the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>()
  const jobs: Waiting[] = []
  const running = new Map<Worker, Waiting>()

  function freeWorker(): Worker | undefined {
    const [rested] = [...idle].at(-1) ?? []
    if (rested) {
      clearTimeout(idle.get(rested))
      idle.delete(rested)
    }
    if (rested || workers.size === most) return rested
    const worker = new Worker(module)
    worker.unref()
    workers.add(worker)
    return worker
      .on('message', (result: Result) => {
        running.get(worker)?.result.resolve(result)
        running.delete(worker)
        idle.set(worker, setTimeout(dismiss, idleMilliseconds, worker).unref())
        next()
      })
      .once('error', (error) => ended(worker, error))
      .once('exit', () => ended(worker, new Error('A thread has ended with its job undone.')))
  }

  function dismiss(worker: Worker) {
    idle.delete(worker)
    workers.delete(worker)
    worker.terminate()
  }

  /** A thread may end for lack of memory, for example; the next job gets another one. */
  function ended(worker: Worker, reason: unknown) {
    if (!workers.delete(worker)) return
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    running.get(worker)?.result.reject(reason)
    running.delete(worker)
    next()
  }

  function next() {
    const worker = jobs.length > 0 ? freeWorker() : undefined
    const waiting = worker && jobs.shift()
    if (!worker || !waiting) return
    running.set(worker, waiting)
    worker.postMessage(waiting.job)
  }

  return {
    run(job) {
      const result = Promise.withResolvers<Result>()
      jobs.push({ job, result })
      next()
      return result.promise
    },
    async close() {
      for (const { result } of jobs.splice(0)) result.reject(new Error('The threads were closed.'))
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

/** Answers jobs if this module runs as a thread; does nothing where it is merely imported. */
export function answerJobs<Job, Result>(work: (job: Job) => Result) {
  if (isMainThread || !parentPort) return
  const port = parentPort
  // On Linux a priority belongs to the thread; elsewhere it would slow down the whole process.
  // Only root may raise it.
  if (process.platform === 'linux' && getPriority() < 10) setPriority(10)
  port.on('message', (job: Job) => port.postMessage(work(job)))
}
