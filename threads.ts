// Runs jobs on low-priority threads, so that they never delay requests: password hashes and long descriptions.
import { setPriority } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

export interface Threads<Job, Result> {
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** Threads start when there is a job for them. */
export function startThreads<Job, Result>(module: URL, most: number): Threads<Job, Result> {
  type Waiting = { job: Job; result: PromiseWithResolvers<Result> }
  const workers = new Set<Worker>()
  const idle: Worker[] = []
  const jobs: Waiting[] = []
  const running = new Map<Worker, Waiting>()

  function freeWorker(): Worker | undefined {
    if (idle.length > 0 || workers.size === most) return idle.pop()
    const worker = new Worker(module)
    worker.unref()
    workers.add(worker)
    return worker
      .on('message', (result: Result) => {
        running.get(worker)?.result.resolve(result)
        running.delete(worker)
        idle.push(worker)
        next()
      })
      .once('error', (error) => ended(worker, error))
      .once('exit', () => ended(worker, new Error('A thread has ended with its job undone.')))
  }

  /** A thread may end for lack of memory, for example; the next job gets another one. */
  function ended(worker: Worker, reason: unknown) {
    if (!workers.delete(worker)) return
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
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
  if (process.platform === 'linux') setPriority(10)
  port.on('message', (job: Job) => port.postMessage(work(job)))
}
