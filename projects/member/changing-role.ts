import { recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Role } from '#identity/roles.ts'
import { revokeBeyond } from '../invitation/revoking.ts'
import { type Acting, type ActingOnOwners, isUnconfirmed, lockMembers, recordMember } from './acting.ts'

/**
 * Gives a member another role. Nobody gives a role above their own or changes the role of somebody above them, and an owner remains. To
 * make somebody an owner, or no longer one, the acting person has to have confirmed who they are; giving up one's own ownership needs no confirmation.
 */
export function changeRole(
  db: Database,
  acting: ActingOnOwners,
  { userId, role }: { userId: number; role: Role },
): Promise<{ role: Role } | 'not a member' | 'is owner' | 'role too high' | 'last owner' | 'unconfirmed'> {
  return db.transaction(async (queries) => {
    const members = await lockMembers(queries, acting, userId)
    const before = members.of(userId)
    if (before === undefined) return 'not a member'
    if (!members.mayGive(before)) return 'is owner'
    if (!members.mayGive(role)) return 'role too high'
    if (before === role) return { role }
    if (members.isLastOwner(userId)) return 'last owner'
    const isOtherOwner = before === 'owner' && userId !== acting.origin.actorId
    if ((role === 'owner' || isOtherOwner) && (await isUnconfirmed(queries, acting))) return 'unconfirmed'
    await setRole(queries, acting, { userId, before, role })
    return { role }
  })
}

/** Makes another member the owner; the acting person becomes an admin if they were one. */
export function transferOwnership(
  db: Database,
  acting: Acting,
  userId: number,
): Promise<'transferred' | 'not a member' | 'not allowed' | 'is disabled'> {
  return db.transaction(async (queries) => {
    const members = await lockMembers(queries, acting, userId)
    const before = members.of(userId)
    if (before === undefined) return 'not a member'
    if (!members.mayGive('owner')) return 'not allowed'
    if (members.isDisabled(userId)) return 'is disabled'
    if (before !== 'owner') await setRole(queries, acting, { userId, before, role: 'owner' })
    const { actorId } = acting.origin
    if (actorId !== null && actorId !== userId && members.of(actorId) === 'owner')
      await setRole(queries, acting, { userId: actorId, before: 'owner', role: 'admin' })
    return 'transferred'
  })
}

async function setRole(
  queries: Queries,
  { projectId, origin }: Acting,
  { userId, before, role }: { userId: number; before: Role; role: Role },
): Promise<void> {
  await queries.sql`
    update memberships set role = ${role} where project_id = ${projectId} and user_id = ${userId}`
  await revokeBeyond(queries, { projectId, userId, role })
  await recordMember(
    queries,
    { projectId, actorId: origin.actorId },
    { kind: 'member.updated', data: { user_id: userId, changes: { role: { from: before, to: role } } } },
  )
  const details = { role, role_before: before }
  await recordEntry(queries, origin, { kind: 'member.role_changed', accountId: userId, projectId, details })
}
