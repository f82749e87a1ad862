import type { Queries } from '#database/connect.ts'

/** Collapses or expands a group for one person only, without an event; undefined if the project has no such group. */
export async function collapseGroup(
  { sql }: Queries,
  { projectId, id, userId }: { projectId: number; id: number; userId: number },
  isCollapsed: boolean,
): Promise<{ group_id: number; is_collapsed: boolean } | undefined> {
  const groups = await sql`
    select from groups where project_id = ${projectId} and id = ${id} and deleted_at is null`
  if (groups.length === 0) return undefined
  const [row] = await sql<{ group_id: number; is_collapsed: boolean }[]>`
    insert into collapsed_groups (project_id, group_id, user_id, is_collapsed)
    values (${projectId}, ${id}, ${userId}, ${isCollapsed})
    on conflict (project_id, user_id, group_id) do update set is_collapsed = excluded.is_collapsed
    returning group_id, is_collapsed`
  return row
}
