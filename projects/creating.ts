import { type Origin, recordEntry } from '#audit/record.ts'
import { countNewProject, keepingCoverage } from '#coverage/counts.ts'
import type { Queries } from '#database/connect.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import { receiveMasters } from '#rollouts/new-project.ts'
import { giveRole } from './members.ts'
import { firstPlatform } from './platform.ts'

interface NewProject {
  name: string
  toolKeys: readonly string[]
  ownerId?: number | undefined
  /** By default the first one. */
  platformId?: number | undefined
}

/**
 * Creates a project with its first owner and the templates it has access to. It is recorded in the audit log, except for demo data, which has
 * no origin.
 */
export async function createProject(
  queries: Queries,
  origin: Origin | null,
  { name, toolKeys, ownerId, platformId }: NewProject,
  quotas: Quotas = usualQuotas,
): Promise<number> {
  const id = await addProject(queries, name, toolKeys, platformId)
  if (origin)
    await recordEntry(queries, origin, { kind: 'project.created', projectId: id, details: { name } })
  await keepingCoverage(queries, { projectIds: [id], boardId: null }, () =>
    receiveMasters(queries, id, quotas),
  )
  if (origin && ownerId !== undefined)
    await giveRole(queries, { projectId: id, userId: ownerId, role: 'owner' }, origin, quotas)
  // A project without templates has no event yet, and is counted nevertheless.
  queries.announce(id)
  return id
}

/** Creates an empty project. */
export async function addProject(
  queries: Queries,
  name: string,
  toolKeys: readonly string[],
  platformId?: number,
): Promise<number> {
  const { sql } = queries
  const [project] = await sql<{ id: number }[]>`
    insert into projects (platform_id, name, tool_keys)
    values (${platformId ?? (await firstPlatform(queries))}, ${name}, ${sql.json(toolKeys.toSorted())}) returning id`
  const id = project?.id as number
  await countNewProject(queries, id)
  return id
}
