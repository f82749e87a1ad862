import type { Database, Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addToGroup, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { restoreComments } from '../comment/restoring.ts'
import { compareAtNextRollout } from '../rollout.ts'
import { bringBackParents, type Parent } from '../trash/bring-back.ts'
import { type Card, cardPayload, readCard } from './card.ts'

interface Rights {
  /** For people who may restore only cards they created. */
  onlyOwn: boolean
  /** For people who may not restore groups and boards. */
  onlyCards: boolean
}

type Outcome =
  | { card: Card; restored_parents: Parent[] }
  | 'not own'
  | 'only cards'
  | 'not deleted'
  /** The board is deleted, or has no group for the card. */
  | 'no group'

/** Restores a card with its comments, and on request with its group and board; undefined if the project has no such card. */
export function restoreCard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { withParents, onlyOwn, onlyCards }: Rights & { withParents: boolean },
): Promise<Outcome | undefined> {
  return change(db, projectId, async (queries) => {
    const deleted = await readDeleted(queries, projectId, id)
    if (!deleted) return undefined
    if (withParents && deleted.has_deleted_parents && onlyCards) return 'only cards'
    if (onlyOwn && deleted.created_by !== actorId) return 'not own'
    if (deleted.deleted_at === null) return 'not deleted'
    const { board_id: boardId, group_id: groupId } = deleted
    const parents = withParents
      ? await bringBackParents(queries, quotas, { projectId, actorId, boardId, groupId })
      : []
    // It may have been restored with them.
    const isBack = parents.length > 0 && (await readCard(queries, projectId, id))
    if (!isBack && !(await bringBack(queries, quotas, { projectId, id, actorId }, deleted))) return 'no group'
    const card = await readCard(queries, projectId, id)
    return card && { card, restored_parents: parents }
  })
}

interface DeletedCard {
  board_id: number
  group_id: number
  created_by: number | null
  bytes: number
  sort_order: number
  /** In full precision, because comments deleted with the card have the same time. */
  deleted_at: string | null
  has_deleted_parents: boolean
}

async function readDeleted(
  { sql }: Queries,
  projectId: number,
  id: number,
): Promise<DeletedCard | undefined> {
  const [found] = await sql<DeletedCard[]>`
    select c.board_id, c.group_id, c.created_by, c.bytes, c.sort_order, c.deleted_at::text as deleted_at,
      b.deleted_at is not null or g.deleted_at is not null as has_deleted_parents
    from cards c
    join boards b on b.project_id = ${projectId} and b.id = c.board_id
    join groups g on g.project_id = ${projectId} and g.id = c.group_id
    where c.project_id = ${projectId} and c.id = ${id} and coalesce(c.deleted_at > kept_since(), true)`
  return found
}

/** False if there is no group for the card. */
async function bringBack(
  queries: Change,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  deleted: DeletedCard,
): Promise<boolean> {
  const { sql } = queries
  const groupId = await groupToReturnTo(queries, projectId, deleted)
  if (groupId === undefined) return false
  await addToGroup(queries, quotas, { projectId, groupId, sortOrder: deleted.sort_order })
  await sql`
    update cards set deleted_at = null, deleted_by = null, updated_at = now(), group_id = ${groupId},
      rank = case when old_place.is_free then rank else list_end() end,
      is_moved = is_moved or not old_place.is_free
    from (select c.group_id = ${groupId} and not exists (
        select from cards other where other.project_id = ${projectId} and other.group_id = ${groupId}
          and other.rank = c.rank and other.deleted_at is null) as is_free
      from cards c where c.project_id = ${projectId} and c.id = ${id}) old_place
    where project_id = ${projectId} and id = ${id}`
  await compareAtNextRollout(queries, projectId, { cardIds: [id] })
  const commentBytes = await restoreComments(queries, projectId, [id], deleted.deleted_at as string)
  const { board_id: boardId, bytes } = deleted
  const data = await cardPayload(queries, projectId, id)
  await recordEvent(queries, { boardId, cardId: id, actorId, kind: 'card.restored', data })
  await takeRoom(queries, quotas, { projectId, boardId }, { cards: 1, bytes, commentBytes })
  return true
}

/** The card's group, or else the first one of its board; never an archived one. */
async function groupToReturnTo(
  { sql }: Queries,
  projectId: number,
  card: DeletedCard,
): Promise<number | undefined> {
  const [group] = await sql<{ id: number }[]>`
    select id from groups where project_id = ${projectId} and board_id = ${card.board_id} and deleted_at is null and is_active
    order by id <> ${card.group_id}, rank limit 1`
  return group?.id
}
