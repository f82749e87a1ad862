import { recordEntry } from '#audit/record.ts'
import { reassignCards } from '#boards/card/unassigning.ts'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import type { Role } from '#identity/roles.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addMember } from '../members.ts'
import { type Acting, lockMembers, recordMember } from './acting.ts'

/** How long a removal can be undone. */
export const restorableDays = 30

/** Undoes a removal: the person has their role again, and their cards unless somebody else has them now. */
export function restoreMember(
  db: Database,
  acting: Acting,
  userId: number,
  quotas: Quotas,
): Promise<{ role: Role; reassigned: number } | 'not removed' | 'is owner'> {
  return db
    .transaction(async (queries) => {
      const { projectId, origin } = acting
      const { sql } = queries
      // Locked, so that nobody comes back whose account is being closed.
      const [present] =
        await sql`select from users where id = ${userId} and closed_at is null for no key update`
      if (!present) return 'not removed'
      const members = await lockMembers(queries, acting, userId)
      const [removed] = await sql<{ role: Role; card_ids: number[] }[]>`
      delete from removed_members
      where project_id = ${projectId} and user_id = ${userId}
        and removed_at > now() - make_interval(days => ${restorableDays})
      returning role, card_ids`
      if (!removed || members.of(userId) !== undefined) return 'not removed'
      const { role, card_ids: cardIds } = removed
      if (!members.mayGive(role)) throw new NotAllowed()
      await addMember(queries, projectId, userId, role, quotas)
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
    .catch((error: unknown) => {
      if (error instanceof NotAllowed) return 'is owner' as const
      throw error
    })
}

/** Brings the deleted row back. */
class NotAllowed extends Error {}

/** Forgets removals that can no longer be undone. */
export const forgetRemovals = (db: Database) =>
  inAllProjects(
    db,
    (ids) => db.sql`
      delete from removed_members
      where project_id = any(${ids}::bigint[]) and removed_at < now() - make_interval(days => ${restorableDays})`,
  )
