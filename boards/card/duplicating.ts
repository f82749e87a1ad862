import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addNewToGroup, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { type Card, payloadsOf, readCard } from './card.ts'

/**
 * Copies what people wrote on a card into its own or another group: below the card by default, at the end of another group. Comments,
 * snooze, checks and the link to a template stay with the original. Undefined if the project has no such card.
 */
export function duplicateCard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { groupId, position }: { groupId: number | null; position: number | null },
): Promise<Card | 'no group' | 'archived' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const original = await readCard(queries, projectId, id)
    if (!original) return undefined
    const goalId = groupId ?? (original.group_id as number)
    const [goal] = await sql<{ board_id: number; is_active: boolean }[]>`
      select board_id, is_active from groups
      where project_id = ${projectId} and id = ${goalId} and deleted_at is null`
    if (!goal) return 'no group'
    if (!goal.is_active) return 'archived'
    const held = await addNewToGroup(queries, quotas, projectId, goalId)
    const below = goalId === original.group_id ? original.position + 1 : null
    const place = { projectId, groupId: goalId, position: position ?? below, others: held.cards - 1 }
    const rank = await rankAt(queries, place)
    const isDone = {
      goal: await isDoneGroup(queries, projectId, goalId),
      original: await isDoneGroup(queries, projectId, original.group_id as number),
    }
    // As if it were moved there: a group of type done closes it, and leaving one gives it back its status.
    const [made] = await sql<{ id: number; bytes: number }[]>`
      insert into cards (project_id, board_id, group_id, created_by, title, description, short_description, status, status_before_done,
        owner_id, tag_id, due_date, due_is_date, priority, rank, sort_order)
      select ${projectId}, ${goal.board_id}, ${goalId}, ${actorId}, c.title, c.description, c.short_description,
        case when after.is_done then 'closed' when before.is_done and c.status = 'closed'
          then coalesce(c.status_before_done, 'closed') else c.status end,
        case when after.is_done and c.status = 'closed' then c.status_before_done when after.is_done then c.status end,
        c.owner_id, c.tag_id, c.due_date, c.due_is_date, c.priority, ${rank}, ${held.last_order}
      from cards c, (select ${isDone.goal}::boolean as is_done) after, (select ${isDone.original}::boolean as is_done) before
      where c.project_id = ${projectId} and c.id = ${id} returning id, bytes`
    const { id: madeId, bytes } = made as { id: number; bytes: number }
    const [payload] = await payloadsOf(queries, projectId, [madeId])
    const { board_id: boardId, data } = payload as NonNullable<typeof payload>
    await recordTogether(queries, [{ boardId, cardId: madeId, actorId, kind: 'card.created', data }])
    await takeRoom(queries, quotas, { projectId, boardId }, { cards: 1, bytes })
    return readCard(queries, projectId, madeId)
  })
}

async function isDoneGroup({ sql }: Queries, projectId: number, id: number): Promise<boolean> {
  const [group] = await sql<{ is_done: boolean }[]>`select is_done_group(${projectId}, ${id}) as is_done`
  return group?.is_done as boolean
}

interface Slot {
  projectId: number
  groupId: number
  position: number | null
  /** How many cards the group has already. */
  others: number
}

/** The rank for a position; without a gap there, the cards around it are spread first. */
async function rankAt(queries: Queries, slot: Slot): Promise<number> {
  const { sql } = queries
  const { projectId, groupId, position, others } = slot
  const [found] = await sql<{ rank: number | null }[]>`
    select rank_at(${projectId}, ${groupId}, ${position}, null, ${others}) as rank`
  if (found?.rank != null) return found.rank
  await sql`select make_room(${projectId}, ${groupId}, ${position}, null)`
  return rankAt(queries, slot)
}
