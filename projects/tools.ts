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
): Promise<'added' | 'no project'> {
  const { sql } = queries
  // First, like every writer of a project.
  await sql`select lock_project(id) from projects where id = ${projectId}`
  return keepingCoverage(queries, { projectIds: [projectId], boardId: null }, async () => {
    const updated = await sql`
      update projects set tool_keys = case when tool_keys ? ${toolKey} then tool_keys else tool_keys || ${sql.json([toolKey])}::jsonb end
      where id = ${projectId} and deleted_at is null and kind = 'customer' returning id`
    if (updated.length === 0) return 'no project'
    await receiveMasters(queries, projectId, quotas)
    return 'added'
  })
}

export const isToolKey = (text: string): boolean => /^[a-z][a-z0-9_-]*$/.test(text)
