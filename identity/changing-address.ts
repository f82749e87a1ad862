// Changes the address of an account: asked for by its owner, confirmed by a link to the new address, and said to the old one.
import { type Origin, recordEntry } from '#audit/record.ts'
import { type Database, violates } from '#database/connect.ts'
import { queueMail } from '#mail/queue.ts'
import { forgetResets } from './accounts.ts'
import { circumstancesOf, mailLanguage, tellOwner } from './notices.ts'
import { mailSecrets } from './sealed-link.ts'
import type { Secrets } from './secrets.ts'
import { lockSession, type OwnSession } from './sessions.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

const confirmHours = 24
const resendSeconds = 60
/** In 24 hours, so that nobody fills the mailboxes of strangers. */
export const mostRequests = 10

/**
 * Sends a link to the new address, and tells the old one. The answer does not tell whether the new address has an account; its owner
 * learns that somebody wanted to use it.
 */
export function requestAddress(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  email: string,
  origin: Origin,
): Promise<
  | 'requested'
  | 'same address'
  | 'session ended'
  | { refusal: 'sent_just_now' | 'too_many_changes'; waitSeconds: number }
> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const { userId } = own
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await sql<
      {
        email: string
        language: string | null
        is_same: boolean
        wait_seconds: number | null
        rest_seconds: number | null
      }[]
    >`
      select u.email, u.language, lower(u.email) = lower(${email}) as is_same,
        ceil(extract(epoch from c.created_at + make_interval(secs => ${resendSeconds}) - now()))::integer as wait_seconds,
        (select ceil(extract(epoch from at + interval '24 hours' - now()))::integer from audit_entries
          where account_id = ${userId} and kind = 'email.change_requested' and at > now() - interval '24 hours'
          order by at desc offset ${mostRequests - 1} limit 1) as rest_seconds
      from users u left join email_changes c on c.user_id = u.id where u.id = ${userId}`
    const { email: before, language, is_same: isSame, ...waits } = user as NonNullable<typeof user>
    const { wait_seconds: wait, rest_seconds: rest } = waits
    if (isSame) return 'same address'
    if (rest !== null) return { refusal: 'too_many_changes', waitSeconds: Math.max(1, rest) }
    if (wait !== null && wait > 0) return { refusal: 'sent_just_now', waitSeconds: wait }
    const token = newToken()
    await sql`
      insert into email_changes (user_id, token_hash, email, expires_at)
      values (${userId}, ${sha256(token)}, ${email}, now() + make_interval(hours => ${confirmHours}))
      on conflict (user_id) do update
      set token_hash = excluded.token_hash, email = excluded.email, created_at = now(), expires_at = excluded.expires_at`
    const [taken] = await sql<{ email: string; language: string | null }[]>`
      select email, language from users where lower(email) = lower(${email})`
    // To the address as its owner wrote it: another spelling may be another mailbox.
    if (taken)
      await queueMail(queries, {
        kind: 'address_taken',
        to: taken.email,
        language: mailLanguage(taken.language),
        values: { email: taken.email },
      })
    else
      await queueMail(queries, {
        kind: 'confirm_address',
        to: email,
        language: mailLanguage(language),
        values: { before, email, hours: confirmHours },
        sealedSecret: mailSecrets(secrets).seal(token),
      })
    await tellOwner(queries, userId, 'address_changing', (old) => ({
      email: old,
      isDone: false,
      ...circumstancesOf(origin),
    }))
    await recordEntry(queries, origin, { kind: 'email.change_requested', accountId: userId })
    return 'requested'
  })
}

/** Gives the account its new address, once for each link. */
export function confirmAddress(
  db: Database,
  token: string,
  origin: Origin,
): Promise<{ email: string } | 'no link' | 'address taken'> {
  const hash = tokenHash(token)
  if (hash === undefined) return Promise.resolve('no link')
  const confirming = db.transaction(async (queries) => {
    const { sql } = queries
    const [changed] = await sql<{ user_id: number; email: string }[]>`
      delete from email_changes c using users u
      where c.token_hash = decode(${hash}, 'hex') and c.expires_at > now() and u.id = c.user_id and u.disabled_at is null
      returning c.user_id, c.email`
    if (!changed) return 'no link'
    const { user_id: userId, email } = changed
    await tellOwner(queries, userId, 'address_changing', (old) => ({
      email: old,
      isDone: true,
      ...circumstancesOf(origin),
    }))
    await sql`update users set email = ${email}, updated_at = now() where id = ${userId}`
    // Links that were sent to the old address are no longer of its owner.
    await forgetResets(queries, userId)
    await recordEntry(queries, { ...origin, actorId: userId }, { kind: 'email.changed', accountId: userId })
    return { email }
  })
  return confirming.catch((error: unknown) => {
    if (violates(error, 'users_email')) return 'address taken' as const
    throw error
  })
}
