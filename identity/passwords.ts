import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { startThreads } from '#threads.ts'
import { argon2Parameters, type HashJob, type HashResult } from './password-worker.ts'

/** Longer input is never hashed: no account has such a password, and hashing it would let anyone create load. */
export const longestPasswordBytes = 1024
export const shortestPassword = 12

export const isTooLong = (password: string) => Buffer.byteLength(password) > longestPasswordBytes

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long for an unknown account (`stored` undefined) as for a wrong password. */
  verify(stored: string | undefined, password: string): Promise<boolean>
  needsRehash(stored: string): boolean
  /** Runs the work, or returns undefined at once if too many sign-ins are waiting. */
  admit<Result>(work: () => Promise<Result>): Promise<Result> | undefined
  close(): Promise<void>
}

/** For work that was not admitted. */
export const serverBusy = { refusal: 'server_busy', waitSeconds: 1 } as const

/** About one second of work at 25 to 50 hashes a second. */
const admittedPerWorker = 24

/** Hashing runs on low-priority threads, so that sign-ins cannot starve other requests. */
export function startPasswords(): Passwords {
  const mostWorkers = availableParallelism()
  const threads = startThreads<HashJob, HashResult>(
    new URL('./password-worker.ts', import.meta.url),
    mostWorkers,
  )
  let decoy: Promise<string> | undefined
  let admitted = 0

  const hash = async (password: string) => String(await threads.run({ password }))
  return {
    hash,
    async verify(stored, password) {
      const usable = !isTooLong(password)
      // Awaited in both cases, so that the first request has the same timing too.
      decoy ??= hash(randomBytes(32).toString('base64'))
      const decoyHash = await decoy
      const matches = await threads.run({ password: usable ? password : '', stored: stored ?? decoyHash })
      return matches === true && usable && stored !== undefined
    },
    needsRehash: (stored) => !stored.startsWith(argon2Parameters),
    admit(work) {
      if (admitted >= admittedPerWorker * mostWorkers) return undefined
      admitted++
      return work().finally(() => admitted--)
    },
    close: threads.close,
  }
}
