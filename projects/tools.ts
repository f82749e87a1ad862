import { keepingCoverage } from '#coverage/counts.ts'
import type { Queries } from '#database/connect.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import { receiveMasters } from '#rollouts/new-project.ts'

/** Gives a project access to a tool and its templates; does nothing if it has access already. */
export async function addTool(
  queries: Queries,
  projectId: number,
  toolKey: string,
  quotas: Quotas = usualQuotas,
): Promise<'added' | 'present' | 'no project'> {
  const { sql } = queries
  // First, like every writer of a project.
  await sql`select lock_project(id) from projects where id = ${projectId}`
  const [project] = await sql<{ has_tool: boolean }[]>`
    select tool_keys ? ${toolKey} as has_tool from projects where id = ${projectId} and deleted_at is null and kind = 'customer'`
  if (!project) return 'no project'
  if (project.has_tool) return 'present'
  return keepingCoverage(queries, { projectIds: [projectId], boardId: null }, async () => {
    await sql`update projects set tool_keys = tool_keys || ${sql.json([toolKey])}::jsonb where id = ${projectId}`
    await receiveMasters(queries, projectId, quotas)
    return 'added' as const
  })
}

export const isToolKey = (text: string): boolean => /^[a-z][a-z0-9_-]*$/.test(text)
