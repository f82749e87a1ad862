import type { Queries } from '#database/connect.ts'
import { type Theme, themeColumns } from './theme.ts'

/** One page, newest first: of a project, of a platform, or of all if neither is given. */
export function listThemes(
  queries: Queries,
  {
    projectId,
    platformId,
    after,
    limit,
  }: { projectId: number | null; platformId: number | null; after: number | null; limit: number },
): Promise<Theme[]> {
  return queries.run<Theme>(listStatement, [projectId, after, limit, platformId])
}

const listStatement = `
  select ${themeColumns} from themes t
  join projects owner on owner.id = t.project_id and owner.deleted_at is null
  where ($1::bigint is null or t.project_id = $1) and ($2::bigint is null or t.id < $2)
    and ($4::bigint is null or owner.platform_id = $4)
  order by t.id desc limit $3`
