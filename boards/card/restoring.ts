import type { Database, Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addToGroups, sumOf, takeRoom } from '#quotas/room.ts'
import type { Action, Actor } from '../action.ts'
import { restoreComments } from '../comment/restoring.ts'
import { listEnds } from '../ordering.ts'
import { compareAtNextRollout } from '../rollout.ts'
import { bringBackParents, type Parent } from '../trash/bring-back.ts'
import { type Card, payloadsOf, readCard } from './card.ts'
import { missingOf } from './several.ts'

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
    const [deleted] = await readDeleted(queries, projectId, [id])
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
    if (!isBack && !(await bringBack(queries, quotas, { projectId, actorId }, [deleted]))) return 'no group'
    const card = await readCard(queries, projectId, id)
    return card && { card, restored_parents: parents }
  })
}

/** Restores cards with their comments to the groups that are there, all or none. */
export function restoreCards(
  db: Database,
  quotas: Quotas,
  { projectId, actorId }: Actor,
  ids: readonly number[],
  { onlyOwn }: Pick<Rights, 'onlyOwn'>,
): Promise<'restored' | 'not own' | 'no group' | { missing: number[] }> {
  return change(db, projectId, async (queries) => {
    const deleted = await readDeleted(queries, projectId, ids)
    const missing = missingOf(
      ids,
      deleted.filter(({ deleted_at }) => deleted_at !== null),
    )
    if (missing.length > 0) return { missing }
    if (onlyOwn && deleted.some(({ created_by }) => created_by !== actorId)) return 'not own'
    const isBack = await bringBack(queries, quotas, { projectId, actorId }, deleted)
    return isBack ? 'restored' : 'no group'
  })
}

interface DeletedCard {
  id: number
  board_id: number
  group_id: number
  created_by: number | null
  bytes: number
  sort_order: number
  /** In full precision, because comments deleted with the card have the same time. */
  deleted_at: string | null
  has_deleted_parents: boolean
}

function readDeleted({ sql }: Queries, projectId: number, ids: readonly number[]): Promise<DeletedCard[]> {
  return sql<DeletedCard[]>`
    select c.id, c.board_id, c.group_id, c.created_by, c.bytes, c.sort_order, c.deleted_at::text as deleted_at,
      b.deleted_at is not null or g.deleted_at is not null as has_deleted_parents
    from cards c
    join boards b on b.project_id = ${projectId} and b.id = c.board_id
    join groups g on g.project_id = ${projectId} and g.id = c.group_id
    where c.project_id = ${projectId} and c.id = any(${ids as number[]}::bigint[]) and coalesce(c.deleted_at > kept_since(), true)`
}

/** False if there is no group for one of the cards. */
async function bringBack(
  queries: Change,
  quotas: Quotas,
  { projectId, actorId }: Actor,
  deleted: readonly DeletedCard[],
): Promise<boolean> {
  const { sql } = queries
  const ids = deleted.map(({ id }) => id)
  const places = await groupsToReturnTo(queries, projectId, ids)
  if (places.length < ids.length) return false
  await addToGroups(queries, quotas, projectId, places)
  const ranks = await listEnds(queries, places.length)
  const listed = places.map((place, index) => ({ ...place, free_rank: ranks[index] }))
  await sql`
    update cards set deleted_at = null, deleted_by = null, updated_at = now(), group_id = place.group_id,
      rank = case when place.is_free then rank else place.free_rank end,
      is_moved = is_moved or not place.is_free
    from (select c.id, listed.group_id, listed.free_rank, c.group_id = listed.group_id and not exists (
        select from cards other where other.project_id = ${projectId} and other.group_id = listed.group_id
          and other.rank = c.rank and (other.deleted_at is null or other.id < c.id and other.id = any(${ids}::bigint[]))) as is_free
      from jsonb_to_recordset(${JSON.stringify(listed)}::text::jsonb) as listed (id bigint, group_id bigint, free_rank bigint)
      join cards c on c.project_id = ${projectId} and c.id = listed.id) place
    where cards.project_id = ${projectId} and cards.id = place.id`
  await compareAtNextRollout(queries, projectId, { cardIds: ids })
  const comments = await restoreComments(
    queries,
    projectId,
    deleted.map(({ id, deleted_at }) => ({ id, deleted_at: deleted_at as string })),
  )
  const payloads = await payloadsOf(queries, projectId, ids)
  await recordTogether(
    queries,
    payloads.map(({ id, board_id: boardId, data }) => ({
      ...{ boardId, cardId: id, actorId, kind: 'card.restored' as const, data },
    })),
  )
  for (const [boardId, own] of Map.groupBy(deleted, ({ board_id }) => board_id)) {
    const said = comments.filter(({ card_id }) => own.some(({ id }) => id === card_id))
    const growth = { cards: own.length, bytes: sumOf(own), commentBytes: sumOf(said) }
    await takeRoom(queries, quotas, { projectId, boardId }, growth)
  }
  return true
}

/** Each card's group, or else the first one of its board; never an archived one. A card without any is left out. */
function groupsToReturnTo({ sql }: Queries, projectId: number, ids: readonly number[]) {
  return sql<{ id: number; group_id: number; sort_order: number }[]>`
    select c.id, place.id as group_id, c.sort_order
    from cards c cross join lateral (
      select g.id from groups g
      where g.project_id = ${projectId} and g.board_id = c.board_id and g.deleted_at is null and g.is_active
      order by g.id <> c.group_id, g.rank limit 1) place
    where c.project_id = ${projectId} and c.id = any(${ids as number[]}::bigint[])`
}
