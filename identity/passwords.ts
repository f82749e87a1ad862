import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { addressKey, siteKey } from '#contract/rate-limit.ts'
import { createFairQueue, type FairQueue } from '#database/fair-queue.ts'
import { startThreads } from '#threads.ts'
import { argon2Parameters, type HashJob, type HashResult } from './password-worker.ts'
import type { StrengthJob } from './strength-worker.ts'
import type { Person, Weakness } from './weak-password.ts'

/** Longer input is never hashed: no account has such a password, and hashing it would let anyone create load. */
export const longestPasswordBytes = 1024

export const isTooLong = (password: string) => Buffer.byteLength(password) > longestPasswordBytes

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long for an unknown account (`stored` undefined) as for a wrong password. */
  verify(stored: string | undefined, password: string): Promise<boolean>
  needsRehash(stored: string): boolean
  /** Why a new password is refused; null if it is not. */
  weaknessOf(password: string, person: Person): Promise<Weakness | null>
  /** The hash of a new password, unless it is easy to guess. Judging has its own thread and takes no turn of sign-ins. */
  hashNew(
    asking: Asking,
    password: string,
    person: Person,
  ): Promise<{ passwordHash: string } | { weakness: Weakness } | typeof serverBusy>
  /** Runs the work when its turn has come, unless too many others wait. */
  inTurn<Result>(asking: Asking, work: () => Promise<Result>): Promise<Result | typeof serverBusy>
  close(): Promise<void>
}

/** Who wants a password checked: a stranger at an address, or an account from a device that has signed in to it before. */
export type Asking = { address: string } | { knownAs: string }

/** For work whose turn did not come. */
export const serverBusy = { refusal: 'server_busy', waitSeconds: 1 } as const

class TooManyWait extends Error {}

/** The names of the service, which are no good password. */
interface Site {
  publicUrl?: string | undefined
  allowedHosts: readonly string[]
}

/**
 * Hashing runs on low-priority threads, so that sign-ins cannot starve other requests. Strangers share half of their turns by address and
 * site, and the other half by age; known devices share theirs by account. While both wait, known devices get two thirds of the threads, and a thread always has a job at hand.
 * New passwords are judged in turns of the same kind, because one account can ask for so many that all others would wait for minutes.
 */
export function startPasswords({ publicUrl, allowedHosts }: Site = { allowedHosts: [] }): Passwords {
  const ownHost = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  const site = [...ownHost, ...allowedHosts].join(' ')
  const mostWorkers = availableParallelism()
  const threads = startThreads<HashJob, HashResult>(
    new URL('./password-worker.ts', import.meta.url),
    mostWorkers,
  )
  const judges = startThreads<StrengthJob, Weakness | null>(
    new URL('./strength-worker.ts', import.meta.url),
    1,
  )
  let decoy: Promise<string> | undefined
  const waiting = {
    // About five seconds of work at 25 to 50 hashes a second.
    places: 200,
    longestWaitMilliseconds: 10_000,
    longestPauseMilliseconds: 10_000,
    refusal: () => new TooManyWait(),
    now: () => performance.now(),
  }
  const known = createFairQueue({ slots: 6 * mostWorkers, ...waiting })
  const strangers = createFairQueue({ slots: 3 * mostWorkers, isAlsoByAge: true, ...waiting })
  // One is judged and the next is at hand.
  const judging = createFairQueue({ slots: 2, isAlsoByAge: true, ...waiting, places: 400 })

  const hash = async (password: string) => String(await threads.run({ password }))
  const weaknessOf = (password: string, person: Person) =>
    judges.run({ password, person: { ...person, site } })
  const waitIn = async <Result>(queue: FairQueue, asking: Asking, work: () => Promise<Result>) => {
    const turn =
      'knownAs' in asking
        ? queue.enter(asking.knownAs, '')
        : queue.enter(siteKey(asking.address), addressKey(asking.address))
    try {
      return await turn(work)
    } catch (error) {
      if (error instanceof TooManyWait) return serverBusy
      throw error
    }
  }
  const inTurn = <Result>(asking: Asking, work: () => Promise<Result>) =>
    waitIn('knownAs' in asking ? known : strangers, asking, work)
  return {
    hash,
    weaknessOf,
    inTurn,
    async hashNew(asking, password, person) {
      const judged = await waitIn(judging, asking, async () => ({
        weakness: await weaknessOf(password, person),
      }))
      if ('refusal' in judged) return judged
      const { weakness } = judged
      return weakness ? { weakness } : inTurn(asking, async () => ({ passwordHash: await hash(password) }))
    },
    async verify(stored, password) {
      const usable = !isTooLong(password)
      // Awaited in both cases, so that the first request has the same timing too.
      decoy ??= hash(randomBytes(32).toString('base64'))
      const decoyHash = await decoy
      const matches = await threads.run({ password: usable ? password : '', stored: stored ?? decoyHash })
      return matches === true && usable && stored !== undefined
    },
    needsRehash: (stored) => !stored.startsWith(argon2Parameters),
    async close() {
      await Promise.all([threads.close(), judges.close()])
    },
  }
}
