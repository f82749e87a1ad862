import { recordEntry } from '#audit/record.ts'
import { unassignCards } from '#boards/card/unassigning.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Role } from '#identity/roles.ts'
import { revokeBeyond } from '../invitation/revoking.ts'
import { type Acting, type ActingOnOwners, isUnconfirmed, lockMembers, recordMember } from './acting.ts'

/**
 * Takes a user out of a project: their cards become unassigned, the invitations they sent stop working, and their next call is refused there.
 * For some days the removal can be undone (restoring.ts). To remove another owner, the acting person has to have confirmed who they are.
 */
export function removeMember(
  db: Database,
  acting: ActingOnOwners,
  userId: number,
): Promise<{ unassigned: number } | 'not a member' | 'is owner' | 'last owner' | 'unconfirmed'> {
  return db.transaction(async (queries) => {
    const { projectId } = acting
    const members = await lockMembers(queries, acting, userId)
    const role = members.of(userId)
    if (role === undefined) return 'not a member'
    if (!members.mayGive(role)) return 'is owner'
    if (members.isLastOwner(userId)) return 'last owner'
    const isOtherOwner = role === 'owner' && userId !== acting.origin.actorId
    if (isOtherOwner && (await isUnconfirmed(queries, acting))) return 'unconfirmed'
    const { cardIds, joinedAt } = await takeOut(queries, acting, { userId, role, kind: 'member.removed' })
    await queries.sql`
      insert into removed_members (project_id, user_id, role, card_ids, joined_at)
      values (${projectId}, ${userId}, ${role}, ${cardIds}::bigint[], ${joinedAt})
      on conflict (project_id, user_id) do update
      set role = excluded.role, card_ids = excluded.card_ids, joined_at = excluded.joined_at, removed_at = excluded.removed_at`
    return { unassigned: cardIds.length }
  })
}

/** The same by the person themselves, whom only a new invitation brings back. */
export function leaveProject(
  db: Database,
  acting: Acting & { origin: { actorId: number } },
): Promise<{ unassigned: number } | 'not a member' | 'last owner'> {
  return db.transaction(async (queries) => {
    const userId = acting.origin.actorId
    const members = await lockMembers(queries, acting, userId)
    const role = members.of(userId)
    if (role === undefined) return 'not a member'
    if (members.isLastOwner(userId)) return 'last owner'
    const { cardIds } = await takeOut(queries, acting, { userId, role, kind: 'member.left' })
    return { unassigned: cardIds.length }
  })
}

/** Returns the ids of the cards that are unassigned now, and since when the person was a member. */
export async function takeOut(
  queries: Queries,
  { projectId, origin }: Acting,
  { userId, role, kind }: { userId: number; role: Role; kind: 'member.removed' | 'member.left' },
): Promise<{ cardIds: number[]; joinedAt: string }> {
  const { sql } = queries
  const { actorId } = origin
  const cardIds = await unassignCards(queries, { projectId, userId, actorId })
  const [membership] = await sql<{ created_at: string }[]>`
    delete from memberships where project_id = ${projectId} and user_id = ${userId} returning created_at`
  await sql`
    update users set default_project_id = (
      select m.project_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
      where m.user_id = ${userId} order by m.created_at, m.project_id limit 1)
    where id = ${userId} and default_project_id = ${projectId}`
  await revokeBeyond(queries, { projectId, userId, role: null })
  await recordMember(queries, { projectId, actorId }, { kind: 'member.left', data: { user_id: userId } })
  await recordEntry(queries, origin, { kind, accountId: userId, projectId, details: { role } })
  return { cardIds, joinedAt: membership?.created_at as string }
}
