// How many invitations may be open and sent, so that a project cannot be used to send mails to strangers.
import type { Queries } from '#database/connect.ts'

export const mostOpen = 200
/** Mails in 24 hours, by one person and for the whole project. */
export const mostByInviter = 50
export const mostByProject = 200
/** Of one invitation. */
export const mostMails = 5
export const resendSeconds = 60

const daySeconds = 86_400

export type TooMany = { tooMany: 'open' } | { tooMany: 'sent'; waitSeconds: number }

/** The caller has locked the project. Undefined if this many more mails may be sent, of which `added` are new invitations. */
export async function refuseMore(
  { sql }: Queries,
  { projectId, inviterId }: { projectId: number; inviterId: number },
  { mails, added }: { mails: number; added: number },
): Promise<TooMany | undefined> {
  const [sent] = await sql<
    { open: number; by_inviter: number; by_project: number; wait_seconds: number | null }[]
  >`
    select count(*) filter (where accepted_at is null and revoked_at is null) as open,
      coalesce(sum(sent_count) filter (where is_recent and invited_by = ${inviterId}), 0)::integer as by_inviter,
      coalesce(sum(sent_count) filter (where is_recent), 0)::integer as by_project,
      ceil(extract(epoch from min(sent_at) filter (where is_recent) + make_interval(secs => ${daySeconds}) - now()))::integer as wait_seconds
    from (
      select *, sent_at > now() - make_interval(secs => ${daySeconds}) as is_recent from invitations
      where project_id = ${projectId}) invitation`
  const {
    open,
    by_inviter: byInviter,
    by_project: byProject,
    wait_seconds: wait,
  } = sent as NonNullable<typeof sent>
  if (open + added > mostOpen) return { tooMany: 'open' }
  if (byInviter + mails > mostByInviter || byProject + mails > mostByProject)
    return { tooMany: 'sent', waitSeconds: Math.max(1, wait ?? daySeconds) }
  return undefined
}
