// Failures in a row and the delays they bring: of a password per account and address, of codes per account from all addresses.
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'
import { sha256 } from './tokens.ts'

const firstDelaySeconds = 5
const longestDelaySeconds = 900

/** What failures are counted for, and how many of them bring no delay. */
export interface Guessing {
  key: Buffer
  freeFailures: number
}

/** `account` comes from the account that was found, not from what was typed: no spelling of an address has a count of its own. */
export const passwordGuessing = (account: string, address: string): Guessing => ({
  key: sha256(`${account}\n${addressKey(address)}`),
  freeFailures: 9,
})

/**
 * From all addresses, since a code has only six digits. Only who knows the password gets here, so strangers cannot lock anybody
 * out.
 */
export const codeGuessing = (userId: number): Guessing => ({
  key: sha256(`codes\n${userId}`),
  freeFailures: 4,
})

type Attempt =
  /** Seconds until the next attempt. */
  | { blockedSeconds: number }
  /** Seconds of delay that a failure of this attempt brings; 0 while failures are free. */
  | { delaySeconds: number }

/** Counts the attempt as failed before it is judged, so that parallel guesses cannot all pass the same count. */
export async function beginAttempt({ sql }: Queries, { key, freeFailures }: Guessing): Promise<Attempt> {
  const [counted] = await sql<{ failures: number }[]>`
    insert into sign_in_attempts as attempt (key, failures) values (${key}, 1)
    on conflict (key) do update set
      failures = attempt.failures + 1,
      updated_at = now(),
      blocked_until = case when attempt.failures < ${freeFailures} then '-infinity'::timestamptz else now() + least(
        ${longestDelaySeconds}, ${firstDelaySeconds} * 2 ^ least(attempt.failures - ${freeFailures}, 20)) * interval '1 second' end
    where attempt.blocked_until <= now()
    returning failures`
  if (counted) {
    const beyond = counted.failures - freeFailures - 1
    return { delaySeconds: beyond < 0 ? 0 : Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** beyond) }
  }
  // A sign-in that succeeded meanwhile has lifted the block: then it ended an infinite time ago.
  const [blocked] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from greatest(blocked_until, now()) - now()))::integer as seconds
    from sign_in_attempts where key = ${key}`
  return { blockedSeconds: Math.max(1, blocked?.seconds ?? 1) }
}

/** The attempt was neither a failure nor a success: as if it had not been made. */
export async function withdrawAttempt({ sql }: Queries, { key }: Guessing): Promise<void> {
  await sql`update sign_in_attempts set failures = failures - 1, blocked_until = '-infinity' where key = ${key}`
}

export async function forgetAttempts({ sql }: Queries, { key }: Guessing): Promise<void> {
  await sql`delete from sign_in_attempts where key = ${key}`
}
