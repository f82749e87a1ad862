import type { Change } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addNewToGroup, takeRoom } from '#quotas/room.ts'
import { payloadsOf } from './card.ts'

interface CheckedCard {
  title: string
  /** As it is stored. */
  description: string
  /** A whole day. */
  dueDate: string
  /** The key of the check that closes the card. */
  check: string
}

/** Adds an unassigned card with a check at the end of the project's first group; undefined if there is none. Throws if there is no room. */
export async function addCheckedCard(
  change: Change,
  quotas: Quotas,
  { title, description, dueDate, check }: CheckedCard,
): Promise<number | undefined> {
  const { sql, projectId } = change
  const [group] = await sql<{ id: number; board_id: number }[]>`
    select g.id, g.board_id from boards b
    join projects p on p.id = b.project_id
    join groups g on g.project_id = ${projectId} and g.board_id = b.id and g.deleted_at is null and g.is_active
    where b.project_id = ${projectId} and b.deleted_at is null and b.is_active and (b.tool_key is null or p.tool_keys ? b.tool_key)
    order by b.rank, g.rank limit 1`
  if (!group) return undefined
  const held = await addNewToGroup(change, quotas, projectId, group.id)
  const [made] = await sql<{ id: number; bytes: number }[]>`
    insert into cards (project_id, board_id, group_id, title, description, due_date, due_is_date, priority, evaluation_check, rank, sort_order)
    values (${projectId}, ${group.board_id}, ${group.id}, ${title}, ${description}, ${dueDate}::text::timestamptz, true, 'high',
      ${check}, list_end(), ${held.last_order})
    returning id, bytes`
  const { id, bytes } = made as { id: number; bytes: number }
  const [payload] = await payloadsOf(change, projectId, [id])
  const { board_id: boardId, data } = payload as NonNullable<typeof payload>
  await recordTogether(change, [{ boardId, cardId: id, actorId: null, kind: 'card.created', data }])
  await takeRoom(change, quotas, { projectId, boardId }, { cards: 1, bytes })
  return id
}
