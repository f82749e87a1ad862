import { type Origin, recordEntry } from '#audit/record.ts'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database, Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { recordMember } from '../member/acting.ts'
import { addMember } from '../members.ts'
import { type FoundInvitation, findInvitation, type UselessInvitation } from './invitation.ts'

/** Makes a signed-in person a member. The invitation is for one address, so other accounts cannot use it. */
export function acceptInvitation(
  db: Database,
  { secret, userId }: { secret: string; userId: number },
  origin: Origin,
  quotas: Quotas,
): Promise<{ projectId: number } | { useless: UselessInvitation } | 'other account'> {
  return db.transaction(async (queries) => {
    const invitation = await findInvitation(queries, secret, { locks: true })
    if ('useless' in invitation) return invitation
    // Before the person, who can sign in while this waits for others who change the project.
    await changesOfMany(queries, [invitation.project_id])
    // Locked, because an account that is being closed loses its address.
    const [own] = await queries.sql`
      select from users where id = ${userId} and lower(email) = lower(${invitation.email}) for no key update`
    if (!own) return 'other account'
    await join(queries, invitation, userId, origin, quotas)
    return { projectId: invitation.project_id }
  })
}

/** Uses the invitation up, in the caller's transaction. A member keeps their role, which may be higher. */
export async function join(
  queries: Queries,
  invitation: FoundInvitation,
  userId: number,
  origin: Origin,
  quotas: Quotas,
): Promise<void> {
  const { sql } = queries
  const { id, project_id: projectId, role, invited_by: invitedBy } = invitation
  await sql`
    update invitations set accepted_at = now() where project_id = ${projectId} and id = ${id}`
  const present = await sql`
    select from memberships where project_id = ${projectId} and user_id = ${userId} for no key update`
  if (present.length > 0) return
  await addMember(queries, projectId, userId, role, quotas)
  await recordMember(
    queries,
    { projectId, actorId: userId },
    { kind: 'member.joined', data: { user_id: userId, role, invited_by: invitedBy } },
  )
  const details = { role, invited_by: invitedBy }
  await recordEntry(queries, origin, { kind: 'member.added', accountId: userId, projectId, details })
}

const keptDays = 30

/** For some days the page of a link says what became of it. */
export const forgetInvitations = (db: Database) =>
  inAllProjects(
    db,
    (ids) => db.sql`
      delete from invitations
      where project_id = any(${ids}::bigint[])
        and least(accepted_at, revoked_at, expires_at) < now() - make_interval(days => ${keptDays})`,
  )
