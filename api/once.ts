import type { Services } from '#api/operation.ts'
import { fail } from '#contract/operation.ts'
import type { Kept, KeyedRequest } from '#contract/router.ts'
import { insideTransaction, retried, uniqueViolation } from '#database/connect.ts'
import type { Caller } from '#identity/caller.ts'
import { sha256 } from '#identity/tokens.ts'

const longestKey = 255

/** The work and the record of its answer are one transaction; the same key again, within a day, gives that answer again. */
export function once(
  services: Services,
  { caller, key, fingerprint, status }: KeyedRequest<Caller>,
  work: (services: Services) => Promise<string>,
): Promise<Kept> {
  const name = /^"(.*)"$/.exec(key)?.[1] ?? key
  if (name === '' || name.length > longestKey)
    throw fail(422, { idempotency_key: [`The idempotency key must have 1 to ${longestKey} characters.`] })
  const hash = sha256(`${caller.projectId}\n${fingerprint}`)
  // Inside one transaction a statement cannot be tried again by itself after a unique index refused it, so all of it is.
  const attempt = () =>
    services.db.transaction(async (queries) => {
      const { sql } = queries
      // The lock only lets a second request be told at once; what keeps the work from being done twice is the key's row.
      const [lock] = await sql<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${caller.id} ${name}`}, 0)) as free`
      if (!lock?.free) throw fail(400, 'A request with this Idempotency-Key is still running.')
      const [kept] = await sql<{ request_hash: Buffer; status: number; body: string }[]>`
      select request_hash, status, body from idempotency_keys
      where user_id = ${caller.id} and key = ${name} and created_at > now() - interval '24 hours'`
      if (kept) {
        if (!hash.equals(kept.request_hash))
          throw fail(422, { idempotency_key: ['The idempotency key has been used for another request.'] })
        return { status: kept.status, body: kept.body, isReplay: true }
      }
      const body = await work({ ...services, db: insideTransaction(services.db, queries) })
      await sql`delete from idempotency_keys where user_id = ${caller.id} and key = ${name}`
      await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body)
      values (${caller.id}, ${name}, ${hash}, ${status}, ${body})`
      return { status, body, isReplay: false }
    })
  return retried(attempt, uniqueViolation)
}
