import { integer, list, nullable, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { board } from '../../operations/boards/board.ts'
import { card } from '../../operations/cards/card.ts'
import { group } from '../../operations/groups/group.ts'
import { masterCardColumns } from '../master-cards/master-card.ts'
import { masterGroupColumns } from '../master-groups/master-group.ts'

const fields = { ...board.properties, project_id: nullable(integer()), version: integer() }

export const masterBoard = record(fields)

/** Projects that have a copy, and those of them that have not seen the newest version. */
const reach = { projects_count: integer(), behind_count: integer() }

const { description: _description, ...listed } = fields

/** Without the description: the list of all templates is one answer. */
export const masterBoardInList = record({
  ...listed,
  groups_count: integer(),
  cards_count: integer(),
  ...reach,
})

export const wholeMasterBoard = record({
  ...fields,
  ...reach,
  /** Projects that a sync would bring up to date. */
  access_count: integer(),
  groups: list(record({ ...group.properties, cards: list(card) })),
})

export type WholeMasterBoard = (typeof wholeMasterBoard)['static']
export type MasterBoard = (typeof masterBoard)['static']

/** `m` is the master board. */
const masterBoardColumns = `
  m.id, null::bigint as project_id, m.platform_id, null::bigint as master_board_id, m.tool_key, m.title, m.description,
  description_format(m.description),
  m.icon, m.color, (select count(*) from master_boards before where before.platform_id = m.platform_id
    and before.deleted_at is null and before.rank <= m.rank) as position,
  true as is_master, m.is_active, m.version, m.created_by, wire_time(m.created_at) as created_at,
  wire_time(m.updated_at) as updated_at, wire_time(m.deleted_at) as deleted_at`

export async function readMasterBoard(queries: Queries, id: number): Promise<MasterBoard | undefined> {
  const [found] = await queries.run<MasterBoard>(
    `select ${masterBoardColumns} from master_boards m where m.id = $1 and m.deleted_at is null`,
    [id],
  )
  return found
}

/**
 * How many copies of the wanted boards `b` have seen which version, counted in one pass before any master is looked at: with a pass for
 * each, the list of 20 masters in 20,000 projects took 2 s instead of 0.2 s.
 */
const copiesOf = (isWanted: string) => `
  with copies as materialized (
    select b.master_board_id, p.platform_id, b.synced_version, count(*) as count
    from boards b join projects p on p.id = b.project_id
    where ${isWanted} and b.deleted_at is null and p.deleted_at is null group by 1, 2, 3
  )`

/** `reach` of `m`, as columns of `held`. */
const reachTables = `
  left join lateral (
    select coalesce(sum(count), 0)::bigint as projects_count,
      coalesce(sum(count) filter (where synced_version < m.version), 0)::bigint as behind_count
    from copies where copies.master_board_id = m.id and copies.platform_id = m.platform_id
  ) held on true`

export const listStatement = `${copiesOf('b.master_board_id is not null')}
  select ${masterBoardColumns},
    (select count(*) from master_groups g where g.board_id = m.id and g.deleted_at is null) as groups_count,
    (select count(*) from master_cards c where c.board_id = m.id and c.deleted_at is null) as cards_count,
    held.projects_count, held.behind_count
  from master_boards m ${reachTables}
  where m.deleted_at is null order by m.platform_id, m.rank`

const wholeStatement = `${copiesOf('b.master_board_id = $1')}
  select ${masterBoardColumns}, held.projects_count, held.behind_count,
    (select count(*) from projects p where p.platform_id = m.platform_id and p.kind = 'customer' and p.deleted_at is null
      and (m.tool_key is null or p.tool_keys ? m.tool_key)) as access_count,
    (select coalesce(json_agg(group_row), '[]') from (
      select ${masterGroupColumns('row_number() over (order by g.rank)')},
        (select coalesce(json_agg(card_row), '[]') from (
          select ${masterCardColumns('row_number() over (order by c.rank)')}
          from master_cards c where c.group_id = g.id and c.deleted_at is null order by c.rank
        ) card_row) as cards
      from master_groups g where g.board_id = m.id and g.deleted_at is null order by g.rank
    ) group_row) as groups
  from master_boards m ${reachTables} where m.id = $1 and m.deleted_at is null`

export async function readWholeMasterBoard(
  queries: Queries,
  id: number,
): Promise<WholeMasterBoard | undefined> {
  const [found] = await queries.run<WholeMasterBoard>(wholeStatement, [id])
  return found
}
