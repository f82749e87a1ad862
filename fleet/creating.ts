// Creates projects for customers and gives them products, as superadmins do it.
import type { Origin } from '#audit/record.ts'
import { type Database, insideTransaction, type Queries } from '#database/connect.ts'
import { createProject } from '#projects/creating.ts'
import { addTool } from '#projects/tools.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { publishedThings } from '#templates/coverage.ts'
import { newestTitle } from '#templates/version/version.ts'
import { countProjects } from './counting.ts'
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

/** Its figures are counted at once, so that its page shows what it has; undefined if there is no such project. */
export async function giveProduct(
  queries: Queries,
  id: number,
  toolKey: string,
  quotas: Quotas,
): Promise<{ project: ProjectInFleet; isNew: boolean } | undefined> {
  const given = await addTool(queries, id, toolKey, quotas)
  if (given === 'no project') return undefined
  await countProjects(queries, [id])
  return { project: (await readFleetProject(queries, id)) as ProjectInFleet, isNew: given === 'added' }
}

interface PreviewedTemplate {
  id: number
  title: string
  tool_key: string | null
  cards_count: number
  is_update: boolean
}

/**
 * What `createProject` would bring, or `giveProduct` to a project: the newest versions of active templates without a product or with one of these.
 * A project does not receive again what it has deleted or has in the newest version.
 */
export async function previewTemplates(
  { sql }: Queries,
  platformId: number,
  toolKeys: readonly string[],
  projectId: number | null,
): Promise<PreviewedTemplate[] | 'no project'> {
  const [project] = await sql<{ tool_keys: string[] }[]>`
    select tool_keys from projects
    where id = ${projectId} and platform_id = ${platformId} and kind = 'customer' and deleted_at is null`
  if (projectId !== null && !project) return 'no project'
  return sql<PreviewedTemplate[]>`
    select m.id, ${sql.unsafe(newestTitle('m'))} as title, m.tool_key, (
      select count(*) from ${sql.unsafe(publishedThings('card'))} and now.is_active) as cards_count, b.id is not null as is_update
    from master_boards m
    join lateral (select max(revision) as revision from template_versions where board_id = m.id having count(*) > 0) newest on true
    left join boards b on b.project_id = ${projectId} and b.master_board_id = m.id
    where m.platform_id = ${platformId} and m.deleted_at is null and m.is_active
      and (m.tool_key is null or ${sql.json([...toolKeys, ...(project?.tool_keys ?? [])])}::jsonb ? m.tool_key)
      and b.deleted_at is null and (b.id is null or b.version_revision < newest.revision)
    order by m.rank`
}
