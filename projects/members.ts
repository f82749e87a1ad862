import { type Origin, recordEntry } from '#audit/record.ts'
import { unassignCards } from '#boards/card/unassigning.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Role } from '#identity/roles.ts'
import { refuseGrowth, usualQuotas } from '#quotas/quotas.ts'

interface Member {
  user_id: number
  name: string
  role: Role
}

/** Ordered by name. */
export function listMembers(queries: Queries, projectId: number): Promise<Member[]> {
  return queries.run<Member>(
    `select u.id as user_id, u.name, m.role from memberships m join users u on u.id = m.user_id
     where m.project_id = $1 order by lower(u.name), u.id`,
    [projectId],
  )
}

/** Adds a member, or changes a member's role, and returns the role. A user's first project becomes the default. */
export async function addMember(
  { sql }: Queries,
  projectId: number,
  userId: number,
  role: Role | undefined,
  quotas = usualQuotas,
): Promise<Role | 'no project'> {
  // Locked, so that concurrent calls cannot exceed the limit of members.
  const [project] = await sql`
    select from projects where id = ${projectId} and deleted_at is null and kind = 'customer' for no key update`
  if (!project) return 'no project'
  const [present] = await sql<{ others: number; is_member: boolean }[]>`
    select count(*) filter (where user_id <> ${userId}) as others, coalesce(bool_or(user_id = ${userId}), false) as is_member
    from memberships where project_id = ${projectId}`
  const { others, is_member: isMember } = present as { others: number; is_member: boolean }
  refuseGrowth(quotas, 'membersPerProject', { before: others + Number(isMember), after: others + 1 })
  const [member] = await sql<{ role: Role }[]>`
    insert into memberships as present (project_id, user_id, role) values (${projectId}, ${userId}, ${role ?? 'member'})
    on conflict (project_id, user_id) do update set role = coalesce(${role ?? null}::role, present.role) returning role`
  await sql`update users set default_project_id = coalesce(default_project_id, ${projectId}) where id = ${userId}`
  return member?.role as Role
}

/** Adds a member or changes a member's role; recorded in the audit log. */
export async function giveRole(
  queries: Queries,
  { projectId, userId, role }: { projectId: number; userId: number; role: Role | undefined },
  origin: Origin,
  quotas = usualQuotas,
): Promise<Role | 'no project'> {
  const before = await roleOf(queries, projectId, userId)
  const given = await addMember(queries, projectId, userId, role, quotas)
  if (given === 'no project' || given === before) return given
  const kind = before === null ? 'member.added' : 'member.role_changed'
  const details = { role: given, ...(before && { role_before: before }) }
  await recordEntry(queries, origin, { kind, accountId: userId, projectId, details })
  return given
}

/** Takes a user out of a project: their cards become unassigned, and their next call is refused there. */
export function removeMember(
  db: Database,
  { projectId, userId, mayRemoveOwners }: { projectId: number; userId: number; mayRemoveOwners: boolean },
  origin: Origin,
): Promise<{ unassigned: number } | 'not a member' | 'is owner' | 'last owner'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // Locked, so that two owners cannot remove each other at once.
    const members = await sql<{ user_id: number; role: Role }[]>`
      select user_id, role from memberships
      where project_id = ${projectId} and (user_id = ${userId} or role = 'owner') order by user_id for update`
    const role = members.find((member) => member.user_id === userId)?.role
    if (role === undefined) return 'not a member'
    if (role === 'owner' && !mayRemoveOwners) return 'is owner'
    if (role === 'owner' && members.length === 1) return 'last owner'
    const unassigned = await unassignCards(queries, { projectId, userId, actorId: origin.actorId })
    await sql`delete from memberships where project_id = ${projectId} and user_id = ${userId}`
    await sql`
      update users set default_project_id = (
        select m.project_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
        where m.user_id = ${userId} order by m.created_at, m.project_id limit 1)
      where id = ${userId} and default_project_id = ${projectId}`
    await recordEntry(queries, origin, {
      kind: 'member.removed',
      accountId: userId,
      projectId,
      details: { role },
    })
    return { unassigned }
  })
}

async function roleOf({ sql }: Queries, projectId: number, userId: number): Promise<Role | null> {
  const [member] = await sql<{ role: Role }[]>`
    select role from memberships where project_id = ${projectId} and user_id = ${userId} for no key update`
  return member?.role ?? null
}
