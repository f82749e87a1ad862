import type { Queries } from '#database/connect.ts'
import { newestFirst } from '#database/newest-first.ts'
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
  const wanted = { platformId, before: after, limit, equal: { project_id: projectId } }
  const { end, values } = newestFirst('t', wanted)
  return queries.run<Theme>(
    `select ${themeColumns} from themes t
     join projects owner on owner.id = t.project_id and owner.deleted_at is null ${end}`,
    values,
  )
}
