import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Theme, themeColumns } from './theme.ts'

/** Creates a theme without versions. */
export function createTheme(
  db: Database,
  { projectId, name, actorId }: { projectId: number; name: string; actorId: number },
): Promise<Theme | 'name taken'> {
  return change(db, projectId, async (queries) => {
    const [made] = await queries.run<Theme>(insertStatement, [projectId, name, actorId])
    if (!made) return 'name taken'
    const data = { theme_id: made.id, name }
    await recordEvent(queries, { boardId: null, actorId, kind: 'theme.created', data })
    return made
  })
}

const insertStatement = `
  with t as (
    insert into themes (project_id, platform_id, name, created_by)
    select id, platform_id, $2, $3::bigint from projects where id = $1
    on conflict (project_id, lower(name)) do nothing returning *
  )
  select ${themeColumns} from t`
