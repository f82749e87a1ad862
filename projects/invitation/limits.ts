// How many invitations may be open and sent, so that a project cannot be used to send mails to strangers.
import type { Queries } from '#database/connect.ts'

export const mostOpen = 200
/** Mails in 24 hours, by one person and for the whole project. */
const mostByInviter = 50
const mostByProject = 200
/** Of one invitation, and in 24 hours to one address, however often it is invited again. */
export const mostMails = 5
export const resendSeconds = 60

const daySeconds = 86_400

export type TooMany = { tooMany: 'open' } | { tooMany: 'sent'; waitSeconds: number }

/** The caller has locked the project. Undefined if this many more mails may be sent, of which those to `added` are of new invitations. */
export async function refuseMore(
  { sql }: Queries,
  { projectId, inviterId }: { projectId: number; inviterId: number },
  { mails, added }: { mails: number; added: readonly string[] },
): Promise<TooMany | undefined> {
  const addresses = JSON.stringify(added.map((email) => email.toLowerCase()))
  const [sent] = await sql<
    { open: number; by_inviter: number; by_project: number; to_one: number; wait_seconds: number | null }[]
  >`
    with invitation as materialized (
      select *, sent_at > now() - make_interval(secs => ${daySeconds}) as is_recent from invitations
      where project_id = ${projectId})
    select count(*) filter (where accepted_at is null and revoked_at is null) as open,
      coalesce(sum(sent_count) filter (where is_recent and invited_by = ${inviterId}), 0)::integer as by_inviter,
      coalesce(sum(sent_count) filter (where is_recent), 0)::integer as by_project,
      coalesce((select sum(sent_count) as mails from invitation
        where is_recent and lower(email) in (select json_array_elements_text(${addresses}::text::json))
        group by lower(email) order by mails desc limit 1), 0)::integer as to_one,
      ceil(extract(epoch from min(sent_at) filter (where is_recent) + make_interval(secs => ${daySeconds}) - now()))::integer as wait_seconds
    from invitation`
  const {
    open,
    by_inviter: byInviter,
    by_project: byProject,
    to_one: toOne,
    wait_seconds: wait,
  } = sent as NonNullable<typeof sent>
  if (open + added.length > mostOpen) return { tooMany: 'open' }
  if (byInviter + mails > mostByInviter || byProject + mails > mostByProject || toOne >= mostMails)
    return { tooMany: 'sent', waitSeconds: Math.max(1, wait ?? daySeconds) }
  return undefined
}
