import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { arranged, writeOrder } from '../ordering.ts'

/** The ids of a board's groups in their order. */
export async function orderOnBoard({ sql }: Queries, projectId: number, boardId: number): Promise<number[]> {
  const groups = await sql<{ id: number }[]>`
    select id from groups where project_id = ${projectId} and board_id = ${boardId} and deleted_at is null order by rank`
  return groups.map(({ id }) => id)
}

/** Gives groups of a board new places; the others keep their order around them. Nothing is done where some are not on the board. */
export function reorderGroups(
  db: Database,
  { projectId, boardId, actorId }: { projectId: number; boardId: number; actorId: number },
  groups: readonly { id: number; position: number }[],
): Promise<{ missing: number[] }> {
  return change(db, projectId, async (queries) => {
    const order = await orderOnBoard(queries, projectId, boardId)
    const missing = groups.map(({ id }) => id).filter((id) => !order.includes(id))
    if (missing.length > 0) return { missing }
    const ids = arranged(order, groups)
    if (ids.every((id, place) => id === order[place])) return { missing }
    await writeOrder(queries, 'groups', projectId, ids)
    await recordEvent(queries, { boardId, actorId, kind: 'groups.reordered', data: { group_ids: ids } })
    return { missing }
  })
}
