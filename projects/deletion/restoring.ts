import { type Origin, recordEntry } from '#audit/record.ts'
import { copiedBoards, findLacking } from '#boards/rollout.ts'
import { keepingCoverage } from '#coverage/counts.ts'
import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inPlatform, may, type Role, type SuperadminOf } from '#identity/roles.ts'

type Restoring = SuperadminOf & { id: number }

/** Brings a deleted project back with everything in it. Members and superadmins learn that it exists, others do not. */
export async function restoreProject(
  db: Database,
  projectId: number,
  user: Restoring,
  origin: Origin,
): Promise<{ name: string } | 'no project' | 'not allowed'> {
  // Before anything is locked, so that nobody can hold up the projects of others.
  const found = await findDeleted(db, projectId, user)
  if (typeof found === 'string') return found
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const again = await findDeleted(queries, projectId, user)
    if (typeof again === 'string') return again
    const [restored] = await keepingCoverage(
      queries,
      { projectIds: [projectId], boardId: null },
      async () => {
        // Cards may have been rolled out meanwhile.
        await findLacking(queries, projectId, { boardIds: await copiedBoards(queries, projectId) })
        return sql<{ name: string }[]>`
        update projects set deleted_at = null, deleted_by = null
        where id = ${projectId} and deleted_at > kept_since() and purged_at is null returning name`
      },
    )
    if (!restored) return 'no project'
    await sql`
      update users set default_project_id = ${projectId}
      where default_project_id is null and id in (select user_id from memberships where project_id = ${projectId})`
    await recordEvent(queries, { boardId: null, actorId: user.id, kind: 'project.restored', data: restored })
    await recordEntry(queries, origin, { kind: 'project.restored', projectId, details: restored })
    return restored
  })
}

async function findDeleted(
  { sql }: Queries,
  projectId: number,
  user: Restoring,
): Promise<object | 'no project' | 'not allowed'> {
  const [project] = await sql<{ platform_id: number; role: Role | null }[]>`
    select p.platform_id, m.role from projects p
    left join memberships m on m.project_id = p.id and m.user_id = ${user.id}
    where p.id = ${projectId} and p.kind = 'customer' and p.deleted_at > kept_since() and p.purged_at is null`
  if (!project) return 'no project'
  const there = inPlatform(user, project.platform_id)
  if (project.role === null && !there.superadmin) return 'no project'
  return may(there, project.role, 'delete the project') ? project : 'not allowed'
}
