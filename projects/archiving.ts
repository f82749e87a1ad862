// Archives a project: it stays with everything in it and can be read, and everything else leaves it out until a superadmin brings it back.
import { type Origin, recordEntry } from '#audit/record.ts'
import { copiedBoards, findLacking } from '#boards/rollout.ts'
import { keepingCoverage } from '#coverage/counts.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { tellOwners } from './telling-owners.ts'

interface Archiving {
  projectId: number
  actorId: number
}

/** False if there is no such project. A second time changes nothing. */
export const archiveProject = (db: Database, archiving: Archiving, origin: Origin): Promise<boolean> =>
  setArchived(db, archiving, true, origin)

/** The next rollout brings the project what it has missed. */
export const unarchiveProject = (db: Database, archiving: Archiving, origin: Origin): Promise<boolean> =>
  setArchived(db, archiving, false, origin)

const setArchived = (
  db: Database,
  { projectId, actorId }: Archiving,
  isArchived: boolean,
  origin: Origin,
): Promise<boolean> =>
  change(db, projectId, async (queries) => {
    const { sql } = queries
    const [project] = await sql<{ name: string; is_archived: boolean }[]>`
      select name, archived_at is not null as is_archived from projects
      where id = ${projectId} and deleted_at is null and kind = 'customer'`
    if (!project) return false
    if (project.is_archived === isArchived) return true
    await keepingCoverage(queries, { projectIds: [projectId], boardId: null }, async () => {
      await sql`
        with changed as (
          update projects set archived_at = case when ${isArchived} then now() end,
            archived_by = case when ${isArchived} then ${actorId}::bigint end
          where id = ${projectId} returning id, archived_at
        )
        update project_figures f set archived_at = changed.archived_at from changed where f.project_id = changed.id`
      // Cards may have been rolled out meanwhile.
      if (!isArchived)
        await findLacking(queries, projectId, { boardIds: await copiedBoards(queries, projectId) })
    })
    const kind = isArchived ? 'project.archived' : 'project.unarchived'
    const { name } = project
    await recordEvent(queries, { boardId: null, actorId, kind, data: { name } })
    await recordEntry(queries, origin, { kind, projectId, details: { name } })
    const mail = isArchived ? 'project_archived' : 'project_unarchived'
    await tellOwners(queries, { projectId, actorId }, mail, (actor) => ({ project: name, actor, projectId }))
    return true
  })
