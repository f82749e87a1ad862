import { type Origin, recordEntry } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { photoColumn } from '#identity/photos.ts'
import type { Role } from '#identity/roles.ts'
import { refuseGrowth, usualQuotas } from '#quotas/quotas.ts'

interface Member {
  user_id: number
  name: string
  role: Role
  photo_url: string | null
}

/** Ordered by name. */
export function listMembers(queries: Queries, projectId: number): Promise<Member[]> {
  return queries.run<Member>(
    `select u.id as user_id, u.name, m.role, ${photoColumn} from memberships m join users u on u.id = m.user_id
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
  // Undoing an earlier removal would give back a role that the person does not have now.
  await sql`delete from removed_members where project_id = ${projectId} and user_id = ${userId}`
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

async function roleOf({ sql }: Queries, projectId: number, userId: number): Promise<Role | null> {
  const [member] = await sql<{ role: Role }[]>`
    select role from memberships where project_id = ${projectId} and user_id = ${userId} for no key update`
  return member?.role ?? null
}
