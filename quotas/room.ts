// Keeps the sizes of boards and groups, in the transaction of each change (database/migrations/0012_sizes.sql, 0020_counted_groups.sql).
import type { Queries } from '#database/connect.ts'
import { type Quotas, refuseGrowth } from './quotas.ts'

interface Growth {
  cards?: number
  groups?: number
  bytes?: number
  commentBytes?: number
  /** The card that gets a comment. */
  commentedId?: number
}

/** Stores that a board grew or shrank, and throws if a limit is exceeded (`reachedQuota`). The caller has locked the project. */
export async function takeRoom(
  { sql }: Queries,
  quotas: Quotas,
  { projectId, boardId }: { projectId: number; boardId: number },
  { cards = 0, groups = 0, bytes = 0, commentBytes = 0, commentedId }: Growth,
): Promise<void> {
  await sql`
    select take_room(${projectId}, ${boardId}, ${JSON.stringify(quotas)}::text::jsonb, ${cards}, ${groups}, ${bytes},
      ${commentBytes}, ${commentedId ?? null})`
}

/** The same for a card that was changed or moved; `before` is its old state. */
export async function takeRoomOfCard(
  { sql }: Queries,
  quotas: Quotas,
  { projectId, id }: { projectId: number; id: number },
  before: { board_id: number; bytes: number },
): Promise<void> {
  await sql`
    select take_room_of_card(${projectId}, ${id}, ${JSON.stringify(quotas)}::text::jsonb, ${before.board_id}, ${before.bytes})`
}

interface ListedCard {
  group_id: number
  sort_order: number
}

/** Counts cards that are about to come to groups, and throws if a group is full. The caller has locked the project. */
export async function addToGroups(
  { sql }: Queries,
  quotas: Quotas,
  projectId: number,
  cards: readonly ListedCard[],
): Promise<void> {
  await sql`
    select add_to_group(${projectId}, card.group_id, ${JSON.stringify(quotas)}::text::jsonb, card.sort_order)
    from jsonb_to_recordset(${JSON.stringify(cards)}::text::jsonb) as card (group_id bigint, sort_order integer)`
}

/** Counts a card that is about to be created in a group: how many it then has, and the card's order. Throws if the group is full. */
export async function addNewToGroup(
  { sql }: Queries,
  quotas: Quotas,
  projectId: number,
  groupId: number,
): Promise<{ cards: number; last_order: number }> {
  const [held] = await sql<{ cards: number; last_order: number }[]>`
    select cards, last_order from add_to_group(${projectId}, ${groupId}, ${JSON.stringify(quotas)}::text::jsonb)`
  return held as { cards: number; last_order: number }
}

/** Counts a card that leaves its group, for each entry of the list. The caller has locked the project. */
export async function takeFromGroups(
  { sql }: Queries,
  projectId: number,
  groupIds: readonly number[],
): Promise<void> {
  await sql`select take_from_group(${projectId}, list) from unnest(${groupIds as number[]}::bigint[]) list`
}

/** After cards of several groups came or went: each group is counted again when its size is needed. */
export async function forgetGroupSizes({ sql }: Queries, projectIds: readonly number[]): Promise<void> {
  await sql`delete from group_sizes where project_id = any(${projectIds as number[]}::bigint[])`
}

/** Counts the boards of projects whose rows were written directly, such as demo data. */
export async function countBoards(queries: Queries, projectIds: readonly number[]): Promise<void> {
  const { sql } = queries
  await sql`delete from board_sizes where project_id = any(${projectIds as number[]}::bigint[])`
  await sql`insert into board_sizes select * from counted_sizes(${projectIds as number[]}::bigint[])`
  await forgetGroupSizes(queries, projectIds)
}

export const sumOf = (rows: readonly { bytes: number }[]) => rows.reduce((sum, { bytes }) => sum + bytes, 0)

/** The size of a board or group without its content. */
export async function bytesOf({ sql }: Queries, table: 'boards' | 'groups', projectId: number, id: number) {
  const [row] = await sql<{ bytes: number }[]>`
    select bytes from ${sql(table)} where project_id = ${projectId} and id = ${id}`
  return row?.bytes as number
}

/** How much a board grew or shrank; several entries for one board add up. */
export interface BoardGrowth {
  project_id: number
  board_id: number
  cards: number
  groups: number
  bytes: number
  comment_bytes?: number
}

/** Stores the growth of boards in many projects. */
export async function noteGrowth(queries: Queries, growths: readonly BoardGrowth[]): Promise<void> {
  // Most rollouts change a word or two, and a card may stay as long as it was.
  const others = growths.filter(
    ({ cards, groups, bytes, comment_bytes = 0 }) => cards || groups || bytes || comment_bytes,
  )
  if (others.length > 0) await addSizes(queries, others)
  await forgetGroupSizes(queries, idsIn(growths, 'project_id'))
}

async function addSizes({ sql }: Queries, growths: readonly BoardGrowth[]): Promise<void> {
  await sql`
    insert into board_sizes as present (project_id, board_id, cards, groups, bytes, comment_bytes)
    select project_id, board_id, sum(cards), sum(groups), sum(bytes), coalesce(sum(comment_bytes), 0)
    from jsonb_to_recordset(${JSON.stringify(growths)}::text::jsonb)
      as more (project_id bigint, board_id bigint, cards bigint, groups bigint, bytes bigint, comment_bytes bigint)
    group by project_id, board_id
    having sum(cards) <> 0 or sum(groups) <> 0 or sum(bytes) <> 0 or sum(comment_bytes) <> 0
    order by project_id, board_id
    on conflict (project_id, board_id) do update set cards = present.cards + excluded.cards,
      groups = present.groups + excluded.groups, bytes = present.bytes + excluded.bytes,
      comment_bytes = present.comment_bytes + excluded.comment_bytes`
}

/** The same, and throws if a limit is exceeded in one of them. */
export async function takeRoomOfMany(
  queries: Queries,
  quotas: Quotas,
  growths: readonly BoardGrowth[],
): Promise<void> {
  if (growths.length === 0) return
  await noteGrowth(queries, growths)
  const grown = growths.filter(({ cards, groups, bytes }) => cards > 0 || groups > 0 || bytes > 0)
  if (grown.length === 0) return
  const ofBoards = Map.groupBy(growths, ({ board_id }) => board_id)
  const fullBoards: BoardGrowth[] = []
  const largerProjects = new Set<number>()
  for (const held of await sizesOf(queries, grown)) {
    const own = ofBoards.get(held.board_id) as BoardGrowth[]
    const growthOf = (column: 'cards' | 'groups' | 'bytes') => own.reduce((sum, one) => sum + one[column], 0)
    for (const [column, quota] of columnQuotas)
      refuseGrowth(quotas, quota, { before: held[column] - growthOf(column), after: held[column] })
    if (growthOf('cards') > 0 && held.cards > quotas.cardsPerGroup) fullBoards.push(held)
    if (growthOf('bytes') > 0) largerProjects.add(held.project_id)
  }
  await refuseLongerLists(queries, quotas, fullBoards)
  await refuseLargerProjects(queries, quotas, [...largerProjects])
}

const idsIn = (boards: readonly BoardGrowth[], key: 'project_id' | 'board_id') => [
  ...new Set(boards.map((board) => board[key])),
]

function sizesOf({ sql }: Queries, boards: readonly BoardGrowth[]) {
  return sql<BoardGrowth[]>`
    select project_id, board_id, cards, groups, bytes from board_sizes
    where project_id = any(${idsIn(boards, 'project_id')}::bigint[])
      and board_id = any(${idsIn(boards, 'board_id')}::bigint[])`
}

const columnQuotas = [
  ['cards', 'cardsPerBoard'],
  ['groups', 'groupsPerBoard'],
  ['bytes', 'bytesPerBoard'],
] as const

/** Checks only boards that have more cards than one list may have. */
async function refuseLongerLists({ sql }: Queries, quotas: Quotas, boards: readonly BoardGrowth[]) {
  if (boards.length === 0) return
  const lists = await sql<{ count: number }[]>`
    select count(*) from cards
    where project_id = any(${idsIn(boards, 'project_id')}::bigint[])
      and board_id = any(${idsIn(boards, 'board_id')}::bigint[]) and deleted_at is null
    group by group_id having count(*) > ${quotas.cardsPerGroup}`
  for (const { count } of lists) refuseGrowth(quotas, 'cardsPerGroup', { before: 0, after: count })
}

async function refuseLargerProjects({ sql }: Queries, quotas: Quotas, projectIds: readonly number[]) {
  const sizes = await sql<{ bytes: number }[]>`
    select sum(bytes + comment_bytes)::bigint as bytes from board_sizes
    where project_id = any(${projectIds as number[]}::bigint[])
    group by project_id having sum(bytes + comment_bytes) > ${quotas.bytesPerProject}`
  for (const { bytes } of sizes) refuseGrowth(quotas, 'bytesPerProject', { before: 0, after: bytes })
}
