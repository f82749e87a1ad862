import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import { forgetChallenges } from '#identity/challenges.ts'
import { forgetLinks } from '#identity/linking-sign-on.ts'
import { sweepResets } from '#identity/resetting-password.ts'
import { forgetDevices } from '#identity/seen-devices.ts'
import { sweepSessions } from '#identity/sessions.ts'
import { sweepSignUps } from '#identity/signing-up.ts'
import { forgetMails } from '#mail/sending.ts'
import { forgetInvitations } from '#projects/invitation/accepting.ts'
import { forgetRemovals } from '#projects/member/restoring.ts'

/**
 * Deletes rows that can no longer be used: expired sessions (why they ended is kept for 30 days), setup links, sign-ups, challenges of passkeys, links of single sign-on and new addresses; failed sign-ins,
 * idempotency keys and links that reset a password after a day; devices after half a year; mails, invitations, plans that were not applied, removals of members, wrong codes, unpaid checkouts and Stripe's events (it repeats them for three days) after 30 days; rollouts after a year.
 */
export async function sweepExpired(db: Database): Promise<void> {
  const { sql } = db
  await sweepSessions(db)
  await sql`delete from ended_sessions where ended_at < now() - interval '30 days'`
  await sql`delete from setup_links where expires_at < now()`
  await sql`delete from sign_in_attempts where updated_at < now() - interval '1 day' and blocked_until < now()`
  await sweepResets(db)
  await sweepSignUps(db)
  await forgetDevices(db)
  await forgetChallenges(db)
  await forgetLinks(db)
  await sql`delete from email_changes where expires_at < now()`
  await forgetMails(db)
  await forgetInvitations(db)
  await forgetRemovals(db)
  await sql`delete from wrong_codes where last_at < now() - interval '30 days'`
  await sql`delete from idempotency_keys where created_at < now() - interval '1 day'`
  await sql`delete from rollouts where finished_at < now() - interval '1 year'`
  await sql`delete from rollouts where status = 'planned' and planned_at < now() - interval '30 days'`
  await sql`delete from payment_events where received_at < now() - interval '30 days'`
  await inAllProjects(
    db,
    (ids) => sql`
      delete from checkouts
      where project_id = any(${ids}::bigint[]) and status = 'expired' and created_at < now() - interval '30 days'`,
  )
}
