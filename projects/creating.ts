import type { Queries } from '#database/connect.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import { receiveMasters } from '#templates/new-project.ts'
import { addMember } from './members.ts'
import { ensurePlatform } from './platform.ts'

interface NewProject {
  name: string
  toolKeys: readonly string[]
  ownerId?: number
}

/** Creates a project with its first owner and the templates it has access to. */
export async function createProject(
  queries: Queries,
  { name, toolKeys, ownerId }: NewProject,
  quotas: Quotas = usualQuotas,
): Promise<number> {
  const id = await addProject(queries, name, toolKeys)
  await receiveMasters(queries, id, quotas)
  if (ownerId !== undefined) await addMember(queries, id, ownerId, 'owner', quotas)
  return id
}

/** Creates an empty project. */
export async function addProject(
  queries: Queries,
  name: string,
  toolKeys: readonly string[],
): Promise<number> {
  const { sql } = queries
  const [project] = await sql<{ id: number }[]>`
    insert into projects (platform_id, name, tool_keys)
    values (${await ensurePlatform(queries)}, ${name}, ${sql.json(toolKeys.toSorted())}) returning id`
  return project?.id as number
}
