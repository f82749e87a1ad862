import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { argon2Parameters, type HashJob, type HashResult } from './password-worker.ts'

/** Longer input is never hashed: it can be no account's password, and hashing it would be free work for the sender. */
export const longestPasswordBytes = 1024
export const shortestPassword = 12

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time without a stored hash as with a wrong password. */
  verify(stored: string | undefined, password: string): Promise<boolean>
  needsRehash(stored: string): boolean
  /** Runs the work unless too many sign-ins wait already: then undefined, at once. */
  admit<Result>(work: () => Promise<Result>): Promise<Result> | undefined
  close(): Promise<void>
}

/** About one second of waiting at 25 to 50 hashes a second. */
const admittedPerWorker = 24

/**
 * Hashing runs on threads of low priority, so that sign-ins cannot starve the requests of those who are signed in. A thread is
 * started when there is a password for it.
 */
export function startPasswords(): Passwords {
  const mostWorkers = availableParallelism()
  const workers: Worker[] = []
  const idle: Worker[] = []
  const jobs: { job: HashJob; result: PromiseWithResolvers<HashResult> }[] = []
  let decoy: Promise<string> | undefined
  let admitted = 0

  function freeWorker(): Worker | undefined {
    if (idle.length > 0 || workers.length === mostWorkers) return idle.pop()
    const worker = startWorker()
    workers.push(worker)
    return worker
  }

  function next() {
    const worker = jobs.length > 0 ? freeWorker() : undefined
    const waiting = worker && jobs.shift()
    if (!worker || !waiting) return
    const onMessage = (result: HashResult) => {
      worker.off('error', onError)
      idle.push(worker)
      waiting.result.resolve(result)
      next()
    }
    // The thread has ended, for want of memory for example; the next password gets another one.
    const onError = (error: unknown) => {
      worker.off('message', onMessage)
      workers.splice(workers.indexOf(worker), 1)
      waiting.result.reject(error)
      next()
    }
    worker.once('message', onMessage).once('error', onError).postMessage(waiting.job)
  }
  const run = (job: HashJob) => {
    const result = Promise.withResolvers<HashResult>()
    jobs.push({ job, result })
    next()
    return result.promise
  }

  const hash = async (password: string) => String(await run({ password }))
  return {
    hash,
    async verify(stored, password) {
      const usable = Buffer.byteLength(password) <= longestPasswordBytes
      // Waited for in either case, so that the first answer of all tells nothing either.
      decoy ??= hash(randomBytes(32).toString('base64'))
      const nobodys = await decoy
      const matches = await run({ password: usable ? password : '', stored: stored ?? nobodys })
      return matches === true && usable && stored !== undefined
    },
    needsRehash: (stored) => !stored.startsWith(argon2Parameters),
    admit(work) {
      if (admitted >= admittedPerWorker * mostWorkers) return undefined
      admitted++
      return work().finally(() => admitted--)
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

function startWorker() {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url))
  worker.unref()
  return worker
}
