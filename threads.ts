// Runs jobs on threads of low priority, so that they never hold up requests: passwords, and descriptions that take long to read.
import { setPriority } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

export interface Threads<Job, Result> {
  run(job: Job): Promise<Result>
  close(): Promise<void>
}

/** A thread is started when there is a job for it. */
export function startThreads<Job, Result>(module: URL, most: number): Threads<Job, Result> {
  const workers: Worker[] = []
  const idle: Worker[] = []
  const jobs: { job: Job; result: PromiseWithResolvers<Result> }[] = []

  function freeWorker(): Worker | undefined {
    if (idle.length > 0 || workers.length === most) return idle.pop()
    const worker = new Worker(module)
    worker.unref()
    workers.push(worker)
    return worker
  }

  function next() {
    const worker = jobs.length > 0 ? freeWorker() : undefined
    const waiting = worker && jobs.shift()
    if (!worker || !waiting) return
    const onMessage = (result: Result) => {
      worker.off('error', onError)
      idle.push(worker)
      waiting.result.resolve(result)
      next()
    }
    // The thread has ended, for want of memory for example; the next job gets another one.
    const onError = (error: unknown) => {
      worker.off('message', onMessage)
      workers.splice(workers.indexOf(worker), 1)
      waiting.result.reject(error)
      next()
    }
    worker.once('message', onMessage).once('error', onError).postMessage(waiting.job)
  }

  return {
    run(job) {
      const result = Promise.withResolvers<Result>()
      jobs.push({ job, result })
      next()
      return result.promise
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

/** What a thread does with each of its jobs; elsewhere, where the same module is imported, nothing. */
export function answerJobs<Job, Result>(work: (job: Job) => Result) {
  if (isMainThread || !parentPort) return
  const port = parentPort
  // On Linux a priority belongs to the thread; elsewhere it would slow the whole process down.
  if (process.platform === 'linux') setPriority(10)
  port.on('message', (job: Job) => port.postMessage(work(job)))
}
