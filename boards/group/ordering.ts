import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { arranged, writeOrder } from '../ordering.ts'

/** The ids of a board's groups in their order, without archived ones. */
export async function orderOnBoard({ sql }: Queries, projectId: number, boardId: number): Promise<number[]> {
  const groups = await sql<{ id: number }[]>`
    select id from groups where project_id = ${projectId} and board_id = ${boardId} and deleted_at is null and is_active
    order by rank`
  return groups.map(({ id }) => id)
}

/** Moves groups on the board of the first one; the others keep their order. Does nothing if some are not on that board. */
export function reorderGroups(
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number },
  groups: readonly { id: number; position: number }[],
): Promise<{ missing: number[] }> {
  return change(db, projectId, async (queries) => {
    const onBoard = await queries.sql<{ id: number; board_id: number }[]>`
      select g.id, g.board_id from groups first
      join groups g on g.project_id = ${projectId} and g.board_id = first.board_id and g.deleted_at is null and g.is_active
      where first.project_id = ${projectId} and first.id = ${groups[0]?.id ?? null} and first.deleted_at is null
      order by g.rank`
    const order = onBoard.map(({ id }) => id)
    const missing = groups.map(({ id }) => id).filter((id) => !order.includes(id))
    const boardId = onBoard[0]?.board_id
    if (missing.length > 0 || boardId === undefined) return { missing }
    const ids = arranged(order, groups)
    if (ids.every((id, place) => id === order[place])) return { missing }
    await writeOrder(queries, 'groups', projectId, ids)
    await recordEvent(queries, { boardId, actorId, kind: 'groups.reordered', data: { group_ids: ids } })
    return { missing }
  })
}
