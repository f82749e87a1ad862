// Deletes a project: from then on nobody can open it, its event streams end, and jobs and rollouts leave it out. For some days an owner can
// restore it (restoring.ts); then its content is deleted (purging.ts).
import { type Origin, recordEntry } from '#audit/record.ts'
import { keepingCoverage } from '#coverage/counts.ts'
import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { tellOwners } from '../telling-owners.ts'

/** `kept_since` in the database says the same. */
export const restorableDays = 30

/** The name as people type it to confirm. Undefined if there is no such project. */
export async function isNameOf(
  { sql }: Queries,
  projectId: number,
  name: string,
): Promise<boolean | undefined> {
  const [project] = await sql<{ name: string }[]>`
    select name from projects where id = ${projectId} and deleted_at is null and kind = 'customer'`
  return project && project.name.trim() === name.trim()
}

/** Returns until when the project can be restored; undefined if there is no such project. Its payments have been stopped. */
export function deleteProject(
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number },
  origin: Origin,
): Promise<{ restorable_until: string } | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [deleted] = await keepingCoverage(
      queries,
      { projectIds: [projectId], boardId: null },
      () => sql<{ name: string; restorable_until: string }[]>`
        with deleted as (
          update projects set deleted_at = now(), deleted_by = ${actorId}
          where id = ${projectId} and deleted_at is null and kind = 'customer' returning name, deleted_at
        ) select name, deleted_at + make_interval(days => ${restorableDays}) as restorable_until from deleted`,
    )
    if (!deleted) return undefined
    const { name, restorable_until } = deleted
    // Calls that name no project act in another one of theirs.
    await sql`
      update users u set default_project_id = (
        select m.project_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
        where m.user_id = u.id order by m.created_at, m.project_id limit 1)
      where u.default_project_id = ${projectId} and u.id in (
        select user_id from memberships where project_id = ${projectId})`
    await recordEvent(queries, { boardId: null, actorId, kind: 'project.deleted', data: { name } })
    await recordEntry(queries, origin, { kind: 'project.deleted', projectId, details: { name } })
    await tellOwners(queries, { projectId, actorId }, 'project_deleted', (actor) => ({
      ...{ project: name, actor, until: restorable_until, projectId },
    }))
    return { restorable_until }
  })
}
