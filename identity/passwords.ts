import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { startThreads } from '#threads.ts'
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
      const usable = Buffer.byteLength(password) <= longestPasswordBytes
      // Waited for in either case, so that the first answer of all tells nothing either.
      decoy ??= hash(randomBytes(32).toString('base64'))
      const nobodys = await decoy
      const matches = await threads.run({ password: usable ? password : '', stored: stored ?? nobodys })
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
