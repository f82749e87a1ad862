import type { Database } from '#database/connect.ts'

/**
 * Removes what can no longer be used: expired sessions, failed sign-ins and idempotency keys of more than a day ago, and messages
 * of payment providers of more than 30 days ago, which is ten times as long as Stripe repeats one.
 */
export async function sweepExpired({ sql }: Database): Promise<void> {
  await sql`delete from sessions where expires_at < now()`
  await sql`delete from sign_in_attempts where updated_at < now() - interval '1 day' and blocked_until < now()`
  await sql`delete from idempotency_keys where created_at < now() - interval '1 day'`
  await sql`delete from payment_events where received_at < now() - interval '30 days'`
}
