import type { Services } from '#api/operation.ts'
import { fail } from '#contract/operation.ts'
import type { Kept, KeyedRequest } from '#contract/router.ts'
import { insideTransaction, type Queries, retried, uniqueViolation } from '#database/connect.ts'
import type { Caller } from '#identity/caller.ts'
import { sha256 } from '#identity/tokens.ts'

const longestKey = 255

interface Key {
  userId: number
  name: string
  hash: Buffer
  /** The status of a successful answer. */
  status: number
}

type Work = (services: Services) => Promise<string>

/** The same key again, within a day, gives the same answer again. */
export function once(
  services: Services,
  { caller, key, fingerprint, status, callsOut }: KeyedRequest<Caller>,
  work: Work,
): Promise<Kept> {
  const name = /^"(.*)"$/.exec(key)?.[1] ?? key
  if (name === '' || name.length > longestKey)
    throw fail(422, { idempotency_key: [`The idempotency key must have 1 to ${longestKey} characters.`] })
  const hash = sha256(`${caller.projectId}\n${fingerprint}`)
  const known = { userId: caller.id, name, hash, status }
  if (callsOut) return reservedFirst(services, known, work)
  // Inside one transaction a statement cannot be tried again by itself after a unique index refused it, so all of it is.
  return retried(() => inOneTransaction(services, known, work), uniqueViolation)
}

/** The work and the record of its answer are one transaction. */
function inOneTransaction(services: Services, key: Key, work: Work): Promise<Kept> {
  const { userId, name, hash, status } = key
  return services.db.transaction(async (queries) => {
    const { sql } = queries
    // The lock only lets a second request be told at once; what keeps the work from being done twice is the key's row.
    const [lock] = await sql<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${name}`}, 0)) as free`
    if (!lock?.free) throw stillRunning()
    const kept = await keptAnswer(queries, key)
    if (kept) return kept
    const body = await work({ ...services, db: insideTransaction(services.db, queries) })
    await sql`delete from idempotency_keys where user_id = ${userId} and key = ${name}`
    await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body)
      values (${userId}, ${name}, ${hash}, ${status}, ${body})`
    return { status, body, isReplay: false }
  })
}

/** Longer than any call to another service may take; after it, whoever held the key has died. */
const longestWork = '2 minutes'
/** Stands in the record for an answer that is still being made. */
const reserved = 0

/**
 * Work that waits for another service must not hold a transaction, so the key is reserved before it and the answer is written
 * after it. A process that dies between the two leaves a reservation that lapses; the work that is then done again must lead to
 * the same thing by itself, as asking for a checkout does.
 */
async function reservedFirst(services: Services, key: Key, work: Work): Promise<Kept> {
  const { userId, name, hash, status } = key
  const { sql } = services.db
  const [mine] = await sql<{ since: string }[]>`
    insert into idempotency_keys (user_id, key, request_hash, status, body)
    values (${userId}, ${name}, ${hash}, ${reserved}, '')
    on conflict (user_id, key) do update set request_hash = excluded.request_hash, status = ${reserved}, body = '', created_at = now()
    where idempotency_keys.created_at < now() - interval '24 hours'
      or (idempotency_keys.status = ${reserved} and idempotency_keys.created_at < now() - ${longestWork}::interval)
    returning created_at::text as since`
  if (!mine) {
    const kept = await keptAnswer(services.db, key)
    if (!kept || kept.status === reserved) throw stillRunning()
    return kept
  }
  const isMine = sql`user_id = ${userId} and key = ${name} and created_at = ${mine.since}::text::timestamptz`
  try {
    const body = await work(services)
    await sql`update idempotency_keys set status = ${status}, body = ${body} where ${isMine}`
    return { status, body, isReplay: false }
  } catch (error) {
    await sql`delete from idempotency_keys where ${isMine}`
    throw error
  }
}

async function keptAnswer({ sql }: Queries, { userId, name, hash }: Key): Promise<Kept | undefined> {
  const [kept] = await sql<{ request_hash: Buffer; status: number; body: string }[]>`
    select request_hash, status, body from idempotency_keys
    where user_id = ${userId} and key = ${name} and created_at > now() - interval '24 hours'`
  if (kept && !hash.equals(kept.request_hash))
    throw fail(422, { idempotency_key: ['The idempotency key has been used for another request.'] })
  return kept && { status: kept.status, body: kept.body, isReplay: true }
}

const stillRunning = () => fail(400, 'A request with this Idempotency-Key is still running.')
