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

/** Hashing runs on threads of low priority, so that sign-ins cannot starve the requests of those who are signed in. */
export async function startPasswords(): Promise<Passwords> {
  const workers = Array.from({ length: availableParallelism() }, startWorker)
  const jobs: { job: HashJob; settle(result: HashResult): void }[] = []
  const idle = [...workers]
  let admitted = 0

  function next() {
    const worker = jobs.length > 0 ? idle.pop() : undefined
    const waiting = worker && jobs.shift()
    if (!worker || !waiting) return
    worker.once('message', (result: HashResult) => {
      idle.push(worker)
      waiting.settle(result)
      next()
    })
    worker.postMessage(waiting.job)
  }
  const run = (job: HashJob) =>
    new Promise<HashResult>((settle) => {
      jobs.push({ job, settle })
      next()
    })

  const hash = async (password: string) => String(await run({ password }))
  const decoy = await hash(randomBytes(32).toString('base64'))
  return {
    hash,
    async verify(stored, password) {
      const usable = Buffer.byteLength(password) <= longestPasswordBytes
      const matches = await run({ password: usable ? password : '', stored: stored ?? decoy })
      return matches === true && usable && stored !== undefined
    },
    needsRehash: (stored) => !stored.startsWith(argon2Parameters),
    admit(work) {
      if (admitted >= admittedPerWorker * workers.length) return undefined
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
