// Creates projects for customers, as superadmins do it.
import type { Origin } from '#audit/record.ts'
import { type Database, insideTransaction, type Queries } from '#database/connect.ts'
import { createProject } from '#projects/creating.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { publishedThings } from '#templates/coverage.ts'
import { newestTitle } from '#templates/version/version.ts'
import { labelProjects } from './labeling.ts'
import { type ProjectInFleet, projectColumns } from './project.ts'

interface NewProject {
  name: string
  toolKeys: readonly string[]
  labels: readonly string[]
  platformId: number
}

/** Its figures are counted at once, so that the list has it. */
export function createFleetProject(
  db: Database,
  origin: Origin & { actorId: number },
  { name, toolKeys, labels, platformId }: NewProject,
  quotas: Quotas,
): Promise<ProjectInFleet> {
  return db.transaction(async (queries) => {
    const keys = [...new Set(toolKeys)]
    const id = await createProject(queries, origin, { name, toolKeys: keys, platformId }, quotas)
    const inside = insideTransaction(db, queries)
    await labelProjects(inside, { projectIds: [id], actorId: origin.actorId }, { add: labels, remove: [] })
    return (await readFleetProject(queries, id)) as ProjectInFleet
  })
}

export async function readFleetProject(queries: Queries, id: number): Promise<ProjectInFleet | undefined> {
  const [project] = await queries.run<ProjectInFleet>(
    `select ${projectColumns} from project_figures f join projects p on p.id = f.project_id where f.project_id = $1`,
    [id],
  )
  return project
}

interface PreviewedTemplate {
  id: number
  title: string
  tool_key: string | null
  cards_count: number
}

/** What `createProject` would bring: the newest versions of active templates without a product or with one of these. */
export function previewTemplates(
  { sql }: Queries,
  platformId: number,
  toolKeys: readonly string[],
): Promise<PreviewedTemplate[]> {
  return sql<PreviewedTemplate[]>`
    select m.id, ${sql.unsafe(newestTitle('m'))} as title, m.tool_key, (
      select count(*) from ${sql.unsafe(publishedThings('card'))} and now.is_active) as cards_count
    from master_boards m
    where m.platform_id = ${platformId} and m.deleted_at is null and m.is_active
      and (m.tool_key is null or ${sql.json(toolKeys)}::jsonb ? m.tool_key)
      and exists (select from template_versions v where v.board_id = m.id)
    order by m.rank`
}
