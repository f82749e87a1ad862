import type { Queries } from '#database/connect.ts'

const collapseStatement = `
  insert into collapsed_groups (project_id, group_id, user_id, is_collapsed)
  select $1, g.id, $3, $4 from groups g where g.project_id = $1 and g.id = $2 and g.deleted_at is null
  on conflict (project_id, user_id, group_id) do update set is_collapsed = excluded.is_collapsed
  returning group_id, is_collapsed`

/** Collapses or expands a group for one person only, without an event; undefined if the project has no such group. */
export async function collapseGroup(
  queries: Queries,
  { projectId, id, userId }: { projectId: number; id: number; userId: number },
  isCollapsed: boolean,
): Promise<{ group_id: number; is_collapsed: boolean } | undefined> {
  const [row] = await queries.run<{ group_id: number; is_collapsed: boolean }>(collapseStatement, [
    projectId,
    id,
    userId,
    isCollapsed,
  ])
  return row
}
