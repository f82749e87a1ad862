import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { eventDataOf } from './step.ts'
import { readVersion, type Version } from './version.ts'

interface Draft {
  projectId: number
  themeId: number
  version: string
  actorId: number
}

/** Adds a version to a theme as a draft; undefined if the project has no such theme. */
export function draftVersion(
  db: Database,
  { projectId, themeId, version, actorId }: Draft,
): Promise<Version | 'version taken' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [taken] = await sql`
      select from theme_versions where project_id = ${projectId} and theme_id = ${themeId} and version = ${version}`
    if (taken) return 'version taken'
    const [own] = await sql<{ id: number; platform_id: number }[]>`
      insert into projects (platform_id, kind, name)
      select t.platform_id, 'theme_version', t.name || ' ' || ${version} from themes t
      where t.project_id = ${projectId} and t.id = ${themeId} returning id, platform_id`
    if (!own) return undefined
    await sql`
      insert into theme_versions (project_id, platform_id, id, theme_id, version, created_by)
      values (${projectId}, ${own.platform_id}, ${own.id}, ${themeId}, ${version}, ${actorId})`
    const draft = (await readVersion(queries, projectId, own.id)) as Version
    const event = { projectId, boardId: null, actorId, data: eventDataOf(draft) }
    await recordEvent(queries, { ...event, kind: 'theme_version.created' })
    return draft
  })
}
