// Writes masters, for the admin operations. Every change locks its master board and is kept as a revision.
import type { Queries } from '#database/connect.ts'
import { type EarlierRanks, type Ranked, ranksFor } from './ranks.ts'
import { boardFields, cardFields, groupFields } from './rules.ts'

interface MasterBoard {
  id: number
  platform_id: number
  tool_key: string | null
  title: string
  is_active: boolean
}

/**
 * Locks the board against changes of it and its content; undefined if it does not exist. Counts and copies that refer to it do not wait
 * for this, and this does not wait for them.
 */
export async function lockMasterBoard({ sql }: Queries, id: number): Promise<MasterBoard | undefined> {
  const [board] = await sql<MasterBoard[]>`
    select id, platform_id, tool_key, title, is_active from master_boards
    where id = ${id} and deleted_at is null for no key update`
  return board
}

/** Locks the board of a group or card. Neither ever changes its board, so it can be looked up before. */
export async function lockBoardOf(
  queries: Queries,
  kind: 'master_groups' | 'master_cards',
  id: number,
): Promise<MasterBoard | undefined> {
  const { sql } = queries
  const [thing] = await sql<{ board_id: number }[]>`select board_id from ${sql(kind)} where id = ${id}`
  return thing && lockMasterBoard(queries, thing.board_id)
}

/** The template's next revision, for a change or a version of it. */
export async function nextRevision({ sql }: Queries, boardId: number): Promise<number> {
  const [row] = await sql<{ newest_revision: number }[]>`
    update master_boards set newest_revision = newest_revision + 1 where id = ${boardId} returning newest_revision`
  return row?.newest_revision as number
}

/** Stores the new state of each changed group and card with the template's next revision. */
export async function keepRevisions(
  queries: Queries,
  boardId: number,
  actorId: number,
  changed: { board?: boolean; groupIds?: readonly number[]; cardIds?: readonly number[] },
): Promise<void> {
  const { board: isBoardChanged = false, groupIds = [], cardIds = [] } = changed
  const { sql } = queries
  const revision = await nextRevision(queries, boardId)
  await sql`
    update master_boards set updated_at = now(), revision = case when ${isBoardChanged} then newest_revision else revision end
    where id = ${boardId}`
  if (isBoardChanged)
    await sql.unsafe(
      `insert into master_board_revisions (board_id, revision, ${boardFields.join(', ')}, is_active, is_deleted, created_by)
       select id, revision, ${boardFields.join(', ')}, is_active, deleted_at is not null, $2 from master_boards where id = $1`,
      [boardId, actorId],
    )
  if (groupIds.length > 0) {
    const ids = groupIds as number[]
    await sql`
      update master_groups set revision = ${revision}, updated_at = now() where id = any(${ids}::bigint[])`
    await sql.unsafe(
      `insert into master_group_revisions
         (board_id, group_id, revision, ${groupFields.join(', ')}, rank, is_deleted, created_by)
       select board_id, id, revision, ${groupFields.join(', ')}, rank, deleted_at is not null, $2 from master_groups
       where id = any($1::bigint[])`,
      [ids, actorId],
    )
  }
  if (cardIds.length > 0) {
    const ids = cardIds as number[]
    await sql`update master_cards set revision = ${revision}, updated_at = now() where id = any(${ids}::bigint[])`
    await sql.unsafe(
      `insert into master_card_revisions (board_id, card_id, revision, group_id, rank, sort_order, ${cardFields.join(', ')},
         status, is_active, is_deleted, created_by)
       select board_id, id, revision, group_id, rank, sort_order, ${cardFields.join(', ')},
         status, is_active, deleted_at is not null, $2 from master_cards where id = any($1::bigint[])`,
      [ids, actorId],
    )
  }
}

/** Writes the order of a board's groups or a group's cards, and returns the ids that moved. */
export async function writeMasterOrder(
  { sql }: Queries,
  { boardId, groupId }: { boardId: number; groupId?: number },
  order: readonly Ranked[],
): Promise<number[]> {
  const table = groupId === undefined ? sql`master_groups` : sql`master_cards`
  const revisions =
    groupId === undefined
      ? sql`select group_id as id, rank, revision from master_group_revisions where board_id = ${boardId}`
      : sql`select card_id as id, rank, revision from master_card_revisions where board_id = ${boardId} and group_id = ${groupId}`
  const given = await sql<{ id: number; rank: number }[]>`
    select given.id, given.rank from (${revisions}) given join ${table} item on item.id = given.id
    group by 1, 2 order by bool_or(given.revision = item.published_revision) desc nulls last, max(given.revision) desc`
  const [end] = await sql<{ rank: number }[]>`select list_end() as rank`
  const ranks = ranksFor(order, new Set(given.map(({ rank }) => rank)), end?.rank as number, earlierOf(given))
  // If there is no room between two ranks, all of them get new ones.
  const fresh = ranks
    ? sql`select * from unnest(${[...ranks.keys()]}::bigint[], ${[...ranks.values()]}::bigint[]) as given (id, rank)`
    : sql`select id, list_end() as rank from unnest(${withDeleted(order, await deletedIn())}::bigint[]) as listed (id)`
  // Materialized, because a join may evaluate the ranks more than once, with different results.
  await sql`
    with fresh as materialized (${fresh}) update ${table} item set rank = fresh.rank from fresh where item.id = fresh.id`
  return ranks ? [...ranks.keys()] : order.map(({ id }) => id)

  function deletedIn() {
    const list = groupId === undefined ? sql`board_id = ${boardId}` : sql`group_id = ${groupId}`
    return sql<{ id: number; rank: number }[]>`
      select id, rank from ${table} where ${list} and deleted_at is not null order by rank desc`
  }
}

const earlierOf = (given: readonly { id: number; rank: number }[]): EarlierRanks =>
  new Map([...Map.groupBy(given, ({ id }) => id)].map(([id, own]) => [id, own.map(({ rank }) => rank)]))

/** Inserts deleted entries after the entry they followed, so that a restore finds their position; the last is inserted first. */
function withDeleted(order: readonly Ranked[], deleted: readonly { id: number; rank: number }[]): number[] {
  const ids = order.map(({ id }) => id)
  const byRank = order.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  for (const { id, rank } of deleted) {
    const before = byRank.findLast((other) => other.rank !== undefined && other.rank < rank)
    ids.splice(before ? ids.indexOf(before.id) + 1 : 0, 0, id)
  }
  return ids
}
