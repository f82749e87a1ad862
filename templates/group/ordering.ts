import { arranged } from '#boards/ordering.ts'
import type { Database } from '#database/connect.ts'
import { keepRevisions, lockMasterBoard, writeMasterOrder } from '../masters.ts'

/**
 * Moves groups of a template; the others keep their order. Does nothing if some are not in the template. Undefined if there is no
 * such template.
 */
export function reorderTemplateGroups(
  db: Database,
  { boardId, actorId }: { boardId: number; actorId: number },
  groups: readonly { id: number; position: number }[],
): Promise<{ missing: number[] } | undefined> {
  return db.transaction(async (queries) => {
    if (!(await lockMasterBoard(queries, boardId))) return undefined
    const order = await queries.sql<{ id: number; rank: number }[]>`
      select id, rank from master_groups where board_id = ${boardId} and deleted_at is null order by rank`
    const ranks = new Map(order.map(({ id, rank }) => [id, rank]))
    const missing = groups.map(({ id }) => id).filter((id) => !ranks.has(id))
    if (missing.length > 0) return { missing }
    const ids = arranged([...ranks.keys()], groups)
    const moved = await writeMasterOrder(
      queries,
      { boardId },
      ids.map((id) => ({ id, rank: ranks.get(id) })),
    )
    if (moved.length > 0) await keepRevisions(queries, boardId, actorId, { groupIds: moved })
    return { missing }
  })
}
