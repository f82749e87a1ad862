import type { Group } from '#boards/group/group.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { keepRevisions, lockMasterBoard } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readTemplateGroup } from './group.ts'

export interface NewTemplateGroup {
  title: string
  description?: string | null
  type?: string | null
  color?: string | null
  icon?: string | null
  is_collapsed?: boolean | null
}

/** Creates a group at the end of a template; undefined if there is no such template. */
export function createTemplateGroup(
  db: Database,
  quotas: Quotas,
  { boardId, actorId }: { boardId: number; actorId: number },
  wanted: NewTemplateGroup,
): Promise<Group | undefined> {
  return db.transaction(async (queries) => {
    if (!(await lockMasterBoard(queries, boardId))) return undefined
    const size = await templateSize(queries, boardId)
    const [made] = await queries.sql<{ id: number }[]>`
      insert into master_groups (board_id, title, description, type, color, icon, is_collapsed, created_by)
      values (${boardId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.type ?? null}, ${wanted.color ?? null},
        ${wanted.icon ?? null}, ${wanted.is_collapsed ?? false}, ${actorId}) returning id`
    const id = made?.id as number
    await keepRevisions(queries, boardId, actorId, { groupIds: [id] })
    await refuseLargerTemplate(queries, quotas, boardId, size)
    return readTemplateGroup(queries, id)
  })
}
