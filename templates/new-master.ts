// Creates a master from another master or from a project's board.
import type { Fragment } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { keepRevisions, lockMasterBoard } from './masters.ts'
import { refuseLargerTemplate, refuseMoreTemplates } from './size.ts'

interface Wanted {
  /** Null for the title of the original. */
  title: string | null
  actorId: number
  quotas: Quotas
}

/** Undefined if there is no such master board. */
export async function copyMaster(queries: Queries, id: number, wanted: Wanted): Promise<number | undefined> {
  const { sql } = queries
  // So that the original does not change between the statements.
  await lockMasterBoard(queries, id)
  const board = sql<{ id: number; platform_id: number }[]>`
    insert into master_boards (platform_id, tool_key, title, description, icon, color, is_active, created_by)
    select platform_id, tool_key, coalesce(${wanted.title}, title), description, icon, color, is_active, ${wanted.actorId}
    from master_boards where id = ${id} and deleted_at is null returning id, platform_id`
  const groups = sql`select id, title, description, rank from master_groups where board_id = ${id} and deleted_at is null`
  const cards = sql`
    select group_id, title, description, short_description, evaluation_check, needs_confirmation, tour_key, status, priority, is_active, rank
    from master_cards where board_id = ${id} and deleted_at is null`
  return fill(queries, board, { groups, cards }, wanted)
}

/** Undefined if there is no such board. Owners, dates and states are local to the project and are not copied. */
export async function masterFromBoard(
  queries: Queries,
  id: number,
  wanted: Wanted,
): Promise<number | undefined> {
  const { sql } = queries
  // So that no group is added between the statements.
  const [locked] = await sql<{ project_id: number }[]>`
    select project_id from boards where id = ${id} for no key update`
  if (!locked) return undefined
  const { project_id: projectId } = locked
  const board = sql<{ id: number; platform_id: number }[]>`
    insert into master_boards (platform_id, tool_key, title, description, icon, color, created_by)
    select p.platform_id, b.tool_key, coalesce(${wanted.title}, b.title), b.description, b.icon, b.color, ${wanted.actorId}
    from boards b join projects p on p.id = b.project_id and p.deleted_at is null
    where b.project_id = ${projectId} and b.id = ${id} and b.deleted_at is null returning id, platform_id`
  const groups = sql`
    select id, title, description, rank from groups
    where project_id = ${projectId} and board_id = ${id} and deleted_at is null`
  const cards = sql`
    select group_id, title, description, short_description, evaluation_check, needs_confirmation, tour_key, 'open' as status,
      priority, true as is_active, rank
    from cards where project_id = ${projectId} and board_id = ${id} and deleted_at is null`
  return fill(queries, board, { groups, cards }, wanted)
}

/** Adds groups and cards in the order of the originals, without identifiers, because each names one master card. */
async function fill(
  queries: Queries,
  board: PromiseLike<readonly { id: number; platform_id: number }[]>,
  original: Record<'groups' | 'cards', Fragment>,
  { actorId, quotas }: Wanted,
): Promise<number | undefined> {
  const { sql } = queries
  const [made] = await board
  if (!made) return undefined
  await refuseMoreTemplates(queries, quotas, made.platform_id)
  const groups = await sql<{ id: number; original_id: number }[]>`
    with numbered as (
      select nextval('group_ids') as new_id, original.* from (select * from (${original.groups}) g order by rank) original
    ), added as (
      insert into master_groups (id, board_id, title, description, rank, created_by)
      select new_id, ${made.id}, title, description, list_end(), ${actorId} from (select * from numbered order by rank) ordered
    ) select new_id as id, id as original_id from numbered order by rank`
  const cards = await sql<{ id: number }[]>`
    insert into master_cards (board_id, group_id, title, description, short_description, evaluation_check, needs_confirmation, tour_key, status,
      priority, is_active, rank, sort_order, created_by)
    select ${made.id}, new_group, title, description, short_description, evaluation_check, needs_confirmation, tour_key, status, priority,
      is_active, list_end(), place, ${actorId}
    from (
      select c.*, g.id as new_group, row_number() over (partition by g.id order by c.rank) as place
      from (${original.cards}) c
      join unnest(${groups.map((group) => group.id)}::bigint[], ${groups.map((group) => group.original_id)}::bigint[])
        as g (id, original_id) on g.original_id = c.group_id
      order by g.id, c.rank
    ) ordered returning id`
  await keepRevisions(queries, made.id, actorId, {
    board: true,
    groupIds: groups.map((group) => group.id),
    cardIds: cards.map((card) => card.id),
  })
  await refuseLargerTemplate(queries, quotas, made.id)
  return made.id
}
