import { recordEntry } from '#audit/record.ts'
import { reassignCards } from '#boards/card/unassigning.ts'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import type { Role } from '#identity/roles.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addMember } from '../members.ts'
import { type ActingOnOwners, isUnconfirmed, lockMembers, recordMember } from './acting.ts'

/** How long a removal can be undone. */
export const restorableDays = 30

/**
 * Undoes a removal: the person has their role again, and their cards unless somebody else has them now. To make somebody an owner again,
 * the acting person has to have confirmed who they are.
 */
export function restoreMember(
  db: Database,
  acting: ActingOnOwners,
  userId: number,
  quotas: Quotas,
): Promise<{ role: Role; reassigned: number } | 'not removed' | 'is owner' | 'unconfirmed'> {
  return db.transaction(async (queries) => {
    const { projectId, origin } = acting
    const { sql } = queries
    const members = await lockMembers(queries, acting, userId)
    // Before the person, who can sign in while this waits for others who change the project.
    await changesOfMany(queries, [projectId])
    // Locked, so that nobody comes back whose account is being closed.
    const [present] =
      await sql`select from users where id = ${userId} and closed_at is null for no key update`
    if (!present) return 'not removed'
    const [removed] = await sql<{ role: Role; card_ids: number[]; joined_at: string | null }[]>`
      select role, card_ids, joined_at from removed_members
      where project_id = ${projectId} and user_id = ${userId}
        and removed_at > now() - make_interval(days => ${restorableDays}) for update`
    if (!removed || members.of(userId) !== undefined) return 'not removed'
    const { role, card_ids: cardIds, joined_at: joinedAt } = removed
    if (!members.mayGive(role)) return 'is owner'
    if (role === 'owner' && (await isUnconfirmed(queries, acting))) return 'unconfirmed'
    // Forgets the removal too.
    await addMember(queries, projectId, userId, role, quotas)
    if (joinedAt !== null)
      await sql`
        update memberships set created_at = ${joinedAt} where project_id = ${projectId} and user_id = ${userId}`
    const { actorId } = origin
    const reassigned = await reassignCards(queries, { projectId, userId, actorId, cardIds })
    await recordMember(
      queries,
      { projectId, actorId },
      { kind: 'member.joined', data: { user_id: userId, role } },
    )
    await recordEntry(queries, origin, {
      kind: 'member.restored',
      accountId: userId,
      projectId,
      details: { role },
    })
    return { role, reassigned }
  })
}

/** Forgets removals that can no longer be undone. */
export const forgetRemovals = (db: Database) =>
  inAllProjects(
    db,
    (ids) => db.sql`
      delete from removed_members
      where project_id = any(${ids}::bigint[]) and removed_at < now() - make_interval(days => ${restorableDays})`,
  )
