// Counts failed sign-ins and delays the next attempt: passwords per account and IP address, codes per account.
import { addressKey } from '#contract/rate-limit.ts'
import type { Queries } from '#database/connect.ts'
import { sha256 } from './tokens.ts'

const firstDelaySeconds = 5
const longestDelaySeconds = 900

/** The key that failures are counted under, and how many of them cause no delay. */
export interface Guessing {
  key: Buffer
  freeFailures: number
}

/** `account` comes from the account that was found, so that different spellings of an address share one count. */
export const passwordGuessing = (account: string, address: string): Guessing => ({
  key: sha256(`${account}\n${addressKey(address)}`),
  freeFailures: 9,
})

/**
 * Counted over all IP addresses, since a code has only six digits. Strangers cannot lock anyone out, because the password comes
 * first.
 */
export const codeGuessing = (userId: number): Guessing => ({
  key: sha256(`codes\n${userId}`),
  freeFailures: 4,
})

/** A signature cannot be guessed, but checking many takes time. Passkeys of an account and unknown passkeys are counted apart. */
export const passkeyGuessing = (userId: number | undefined, address: string): Guessing => ({
  key: sha256(`passkeys\n${userId ?? 'unknown'}\n${addressKey(address)}`),
  freeFailures: 9,
})

/** Nothing was checked, or the check failed and the next one has to wait. */
export type Slowed =
  | { refusal: 'too_many_attempts'; waitSeconds: number }
  | { refusal: 'server_busy'; waitSeconds: number }

type Attempt =
  | Slowed
  /** Seconds of delay if this attempt fails; 0 while failures are free. */
  | { delaySeconds: number }

/** A delay that ends much later than any can is from before the clock went back. */
const isOver = (sql: Queries['sql']) =>
  sql`attempt.blocked_until not between now() and now() + make_interval(secs => ${2 * longestDelaySeconds})`

/**
 * Counts the attempt as failed before it is checked, so that parallel guesses cannot share one count. The count may be lost with a
 * crash, so its commit does not wait for the disk.
 */
export async function beginAttempt({ sql }: Queries, { key, freeFailures }: Guessing): Promise<Attempt> {
  const [counted] = await sql<{ failures: number }[]>`
    insert into sign_in_attempts as attempt (key, failures)
    select ${key}::bytea, 1 from (select set_config('synchronous_commit', 'off', true)) unhurried
    on conflict (key) do update set
      failures = attempt.failures + 1,
      updated_at = now(),
      blocked_until = case when attempt.failures < ${freeFailures} then '-infinity'::timestamptz else now() + least(
        ${longestDelaySeconds}, ${firstDelaySeconds} * 2 ^ least(attempt.failures - ${freeFailures}, 20)) * interval '1 second' end
    where ${isOver(sql)}
    returning failures`
  if (counted) {
    const beyond = counted.failures - freeFailures - 1
    return { delaySeconds: beyond < 0 ? 0 : Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** beyond) }
  }
  // If a successful sign-in has removed the block since, the wait is the shortest: one second.
  const [blocked] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from greatest(blocked_until, now()) - now()))::integer as seconds
    from sign_in_attempts where key = ${key}`
  return { refusal: 'too_many_attempts', waitSeconds: Math.max(1, blocked?.seconds ?? 1) }
}

/** Takes back an attempt that neither failed nor succeeded. */
export async function withdrawAttempt({ sql }: Queries, { key }: Guessing): Promise<void> {
  await sql`update sign_in_attempts set failures = failures - 1, blocked_until = '-infinity' where key = ${key}`
}

export async function forgetAttempts({ sql }: Queries, { key }: Guessing): Promise<void> {
  await sql`delete from sign_in_attempts where key = ${key}`
}
