import type { Database } from '#database/connect.ts'
import { sendDigests } from '#inbox/digesting.ts'
import { mailInboxes } from '#inbox/mailing.ts'

/** Puts the mails about the inboxes into the outbox, as if the people of the demo had been away since this morning. */
export async function seedOutbox(db: Database): Promise<void> {
  const wanted = { canMail: true, includesDemo: true }
  await db.sql`update inbox_mails set due_at = now()`
  await mailInboxes(db, wanted)
  await db.sql`update users set digest_at = now() where is_demo`
  await sendDigests(db, wanted)
}
