import type { Queries } from '#database/connect.ts'
import { type Theme, themeColumns } from './theme.ts'

/** One page, newest first; of all projects if none is given. */
export function listThemes(
  queries: Queries,
  { projectId, after, limit }: { projectId: number | null; after: number | null; limit: number },
): Promise<Theme[]> {
  return queries.run<Theme>(listStatement, [projectId, after, limit])
}

const listStatement = `
  select ${themeColumns} from themes t
  join projects owner on owner.id = t.project_id and owner.deleted_at is null
  where ($1::bigint is null or t.project_id = $1) and ($2::bigint is null or t.id < $2)
  order by t.id desc limit $3`
