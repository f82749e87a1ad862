import { recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { shownAuthor, shownName } from '#events/shown-name.ts'
import { mailLanguage } from '#identity/notices.ts'
import type { Role } from '#identity/roles.ts'
import { mailSecrets } from '#identity/sealed-link.ts'
import type { Secrets } from '#identity/secrets.ts'
import type { Language } from '#languages/known.ts'
import { queueMail } from '#mail/queue.ts'
import { type Acting, lockMembers } from '../member/acting.ts'
import { invitationDays, newInvitationSecret } from './invitation.ts'
import { mostMails, refuseMore, resendSeconds, type TooMany } from './limits.ts'

/** An invitation that is open, as those who manage members see it. */
interface OpenInvitation {
  id: number
  email: string
  role: Role
  invited_by: number
  inviter_name: string
  sent_at: string
  expires_at: string
  is_expired: boolean
}

/** The open invitations of a project, newest first. */
export function listInvitations(
  { sql }: Queries,
  projectId: number,
  id: number | null = null,
): Promise<OpenInvitation[]> {
  return sql<OpenInvitation[]>`
    select i.id, i.email, i.role, ${sql.unsafe(shownAuthor('i.project_id', 'i.invited_by'))} as invited_by,
      ${sql.unsafe(shownName('i.project_id'))} as inviter_name, i.sent_at, i.expires_at, i.expires_at <= now() as is_expired
    from invitations i join users u on u.id = i.invited_by
    where i.project_id = ${projectId} and i.id = coalesce(${id}::bigint, i.id) and i.accepted_at is null and i.revoked_at is null
    order by i.id desc`
}

interface Inviting extends Acting {
  inviterId: number
  secrets: Secrets
  /** Of people who have not chosen one. */
  language: Language
}

/** Why somebody is not invited. */
export const skippedReasons = ['member', 'invited'] as const
interface Skipped {
  email: string
  reason: (typeof skippedReasons)[number]
}

/** Invites people by their addresses, and says who is not invited because they are a member, or were invited before. */
export function invite(
  db: Database,
  inviting: Inviting,
  { emails, role }: { emails: readonly string[]; role: Role },
): Promise<{ invitations: OpenInvitation[]; skipped: Skipped[] } | TooMany | 'role too high'> {
  return db.transaction(async (queries) => {
    const { projectId, inviterId } = inviting
    await lockProject(queries, projectId)
    if (!(await lockMembers(queries, inviting, inviterId)).mayGive(role)) return 'role too high'
    const wanted = [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()]
    const skipped = await skippedAmong(queries, projectId, wanted)
    const invited = wanted.filter((email) => !skipped.some((one) => one.email === email))
    const refusal = await refuseMore(queries, inviting, { mails: invited.length, added: invited })
    if (refusal) return refusal
    const invitations: OpenInvitation[] = []
    for (const email of invited) {
      const { secret, hash } = newInvitationSecret(projectId)
      // One that has expired is replaced.
      const [added] = await queries.sql<{ id: number }[]>`
        insert into invitations as i (project_id, email, role, token_hash, invited_by, expires_at, sent_at)
        values (${projectId}, ${email}, ${role}, ${hash}, ${inviterId}, now() + make_interval(days => ${invitationDays}), now())
        on conflict (project_id, lower(email)) where accepted_at is null and revoked_at is null do update
        set email = excluded.email, role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
          expires_at = excluded.expires_at, sent_at = excluded.sent_at, sent_count = i.sent_count + 1
        returning id`
      invitations.push(await send(queries, inviting, added?.id as number, secret))
    }
    return { invitations, skipped }
  })
}

/** Sends an invitation again with another link; the one before stops working. */
export function resendInvitation(
  db: Database,
  inviting: Inviting,
  id: number,
): Promise<
  OpenInvitation | TooMany | 'no invitation' | 'role too high' | 'sent too often' | { waitSeconds: number }
> {
  return db.transaction(async (queries) => {
    const { projectId, inviterId } = inviting
    await lockProject(queries, projectId)
    const [present] = await queries.sql<{ role: Role; sent_count: number; wait_seconds: number }[]>`
      select role, sent_count, ceil(extract(epoch from sent_at + make_interval(secs => ${resendSeconds}) - now()))::integer as wait_seconds
      from invitations
      where project_id = ${projectId} and id = ${id} and accepted_at is null and revoked_at is null`
    if (!present) return 'no invitation'
    if (!(await lockMembers(queries, inviting, inviterId)).mayGive(present.role)) return 'role too high'
    if (present.sent_count >= mostMails) return 'sent too often'
    if (present.wait_seconds > 0) return { waitSeconds: present.wait_seconds }
    const refusal = await refuseMore(queries, inviting, { mails: 1, added: [] })
    if (refusal) return refusal
    const { secret, hash } = newInvitationSecret(projectId)
    await queries.sql`
      update invitations set token_hash = ${hash}, invited_by = ${inviterId}, sent_at = now(), sent_count = sent_count + 1,
        expires_at = now() + make_interval(days => ${invitationDays})
      where project_id = ${projectId} and id = ${id}`
    return send(queries, inviting, id, secret)
  })
}

/** Invitations are counted, so concurrent calls wait for each other. */
const lockProject = ({ sql }: Queries, projectId: number) =>
  sql`select from projects where id = ${projectId} for no key update`

async function skippedAmong({ sql }: Queries, projectId: number, emails: string[]): Promise<Skipped[]> {
  const lowered = JSON.stringify(emails.map((email) => email.toLowerCase()))
  const rows = await sql<{ email: string; reason: Skipped['reason'] }[]>`
    select lower(u.email) as email, 'member' as reason from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and lower(u.email) in (select json_array_elements_text(${lowered}::text::json))
    union all
    select lower(email), 'invited' from invitations
    where project_id = ${projectId} and accepted_at is null and revoked_at is null and expires_at > now()
      and lower(email) in (select json_array_elements_text(${lowered}::text::json))`
  return emails.flatMap((email) => {
    const found = rows.find((row) => row.email === email.toLowerCase())
    return found ? [{ email, reason: found.reason }] : []
  })
}

/**
 * Queues the mail of an invitation. It is in the language of the account if there is one, which the inviter does not
 * learn, else in that of the project, else in that of the inviter.
 */
async function send(
  queries: Queries,
  { projectId, origin, secrets, language }: Inviting,
  id: number,
  secret: string,
): Promise<OpenInvitation> {
  const { sql } = queries
  const [invitation] = await listInvitations(queries, projectId, id)
  const { email, role, inviter_name: inviter } = invitation as OpenInvitation
  const [known] = await sql<{ project: string; language: string | null }[]>`
    select name as project, coalesce((select language from users where lower(email) = lower(${email})), language) as language
    from projects where id = ${projectId}`
  await queueMail(queries, {
    kind: 'invitation',
    to: email,
    language: mailLanguage(known?.language ?? language),
    values: { inviter, project: known?.project ?? '', email, days: invitationDays },
    sealedSecret: mailSecrets(secrets).seal(secret),
  })
  await recordEntry(queries, origin, { kind: 'invitation.sent', projectId, details: { email, role } })
  return invitation as OpenInvitation
}
