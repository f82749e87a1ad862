// Counts failed sign-ins and delays the next attempt: passwords per account and IP address, codes per account.
import { addressKey } from '#contract/rate-limit.ts'
import type { Fragment } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import { sha256 } from './tokens.ts'
import { type UserRow, userColumns } from './users.ts'

const firstDelaySeconds = 5
const longestDelaySeconds = 900

/** The key that failures are counted under, and how many of them cause no delay. */
export interface Guessing {
  key: Buffer
  freeFailures: number
}

/** Of the account that is named; see `accountOf`. */
export const passwordGuessing = (account: string, address: string): Guessing => ({
  key: sha256(`${account}\n${addressKey(address)}`),
  freeFailures: freePasswords,
})

const freePasswords = 9

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

/** Counts the attempt as failed before it is checked, so that parallel guesses cannot share one count. */
export async function beginAttempt(queries: Queries, guessing: Guessing): Promise<Attempt> {
  const { sql } = queries
  const [counted] = await counting(sql, sql`select ${guessing.key}::bytea as key`, guessing.freeFailures)
  return outcomeOf(queries, guessing, counted?.failures)
}

/**
 * Finds the account of an email address and counts an attempt at its password. What is counted depends on the account that is found, or else
 * on the address in lower case, so that all spellings share one count. One statement, because each round trip costs as much as its work.
 */
export async function beginPasswordAttempt(
  queries: Queries,
  email: string,
  address: string,
): Promise<{ user: UserRow | undefined; guessing: Guessing; attempt: Attempt }> {
  const { sql } = queries
  const [found] = await sql<Found[]>`
    with found as (
      select ${sql.unsafe(userColumns)}, asked.lowered from (select lower(${email}) as lowered) asked left join users u on lower(u.email) = asked.lowered
    ), named as (
      select sha256(convert_to(coalesce('user ' || id, 'email ' || lowered) || ${`\n${addressKey(address)}`}, 'UTF8')) as key from found
    ), counted as (${counting(sql, sql`select key from named`, freePasswords)})
    select found.*, named.key, counted.failures from found cross join named left join counted on true`
  const { key, failures, lowered: _lowered, ...user } = found as NonNullable<typeof found>
  const guessing = { key, freeFailures: freePasswords }
  const attempt = await outcomeOf(queries, guessing, failures)
  return { user: user.id === null ? undefined : (user as UserRow), guessing, attempt }
}

type Found = { [Column in keyof UserRow]: UserRow[Column] | null } & {
  lowered: string
  key: Buffer
  failures: number | null
}

/** Counts a failure under the one key of `keys`, unless the next attempt has to wait. The count may be lost with a crash, so its commit does not wait for the disk. */
const counting = (sql: Queries['sql'], keys: Fragment, freeFailures: number) => sql<{ failures: number }[]>`
  insert into sign_in_attempts as attempt (key, failures)
  select keys.key, 1 from (${keys}) keys, (select set_config('synchronous_commit', 'off', true)) unhurried
  on conflict (key) do update set
    failures = attempt.failures + 1,
    updated_at = now(),
    blocked_until = case when attempt.failures < ${freeFailures} then '-infinity'::timestamptz else now() + least(
      ${longestDelaySeconds}, ${firstDelaySeconds} * 2 ^ least(attempt.failures - ${freeFailures}, 20)) * interval '1 second' end
  where ${isOver(sql)}
  returning failures`

async function outcomeOf(
  { sql }: Queries,
  { key, freeFailures }: Guessing,
  failures: number | null | undefined,
): Promise<Attempt> {
  if (failures != null) {
    const beyond = failures - freeFailures - 1
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

export async function forgetAttempts({ sql }: Queries, guessing: Guessing): Promise<void> {
  await forgettingAttempts(sql, guessing, sql``)
}

/** The statement that forgets attempts, if `condition` holds too. */
export const forgettingAttempts = (sql: Queries['sql'], { key }: Guessing, condition: Fragment) =>
  sql`delete from sign_in_attempts where key = ${key} ${condition}`
