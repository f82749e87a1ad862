import type { Queries } from '#database/connect.ts'

interface Use {
  project_id: number
  project_name: string
  chosen_at: string
}

export async function countUses(queries: Queries, versionId: number): Promise<number> {
  const [counted] = await queries.run<{ count: number }>(`select count(*) from ${uses}`, [versionId])
  return counted?.count ?? 0
}

/** The projects that use a version, one page by id. */
export function listUses(
  queries: Queries,
  versionId: number,
  { after, limit }: { after: number | null; limit: number },
) {
  return queries.run<Use & { id: number }>(pageStatement, [versionId, after, limit])
}

const uses = `theme_choices c join projects p on p.id = c.project_id and p.deleted_at is null and p.archived_at is null where c.version_id = $1`

const pageStatement = `
  select p.id, p.id as project_id, p.name as project_name, wire_time(c.chosen_at) as chosen_at
  from ${uses} and p.id > coalesce($2::bigint, 0) order by p.id limit $3`
