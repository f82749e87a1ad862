import { board } from '#boards/board/board.ts'
import { card } from '#boards/card/card.ts'
import { group } from '#boards/group/group.ts'
import { listedDescription } from '#boards/listed-description.ts'
import { integer, list, nullable, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { countColumns } from '#evaluations/counting.ts'
import { coverageColumns, coverageOf, coverageTables } from '#templates/coverage.ts'
import { masterCardColumns } from '../master-cards/master-card.ts'
import { masterGroupColumns } from '../master-groups/master-group.ts'

const fields = { ...board.properties, project_id: nullable(integer()), version: integer() }

export const masterBoard = record(fields)

const coverage = {
  /** All that have a copy, including projects that have lost access since. */
  projects_count: integer(),
  /** Projects that should have it; the states below add up to this number. */
  access_count: integer(),
  /** Projects with access that have a copy. */
  covered_count: integer(),
  up_to_date_count: integer(),
  behind_count: integer(),
  /** They never received it. */
  missing_count: integer(),
  /** The last rollout failed there. */
  refused_count: integer(),
  /** They have deleted their copy. */
  opted_out_count: integer(),
}

export const masterBoardInList = record({
  ...fields,
  groups_count: integer(),
  cards_count: integer(),
  ...coverage,
})

/** In how many projects the check of the card passes and fails. */
const cardWithCounts = record({ ...card.properties, passed_count: integer(), failed_count: integer() })

export const wholeMasterBoard = record({
  ...fields,
  ...coverage,
  groups: list(record({ ...group.properties, cards: list(cardWithCounts) })),
})

export type WholeMasterBoard = (typeof wholeMasterBoard)['static']
export type MasterBoard = (typeof masterBoard)['static']

/** `m` is the master board. */
const columns = (description: string) => `
  m.id, null::bigint as project_id, m.platform_id, null::bigint as master_board_id, m.tool_key, m.title, ${description}
  m.icon, m.color, (select count(*) from master_boards before where before.platform_id = m.platform_id
    and before.deleted_at is null and before.rank <= m.rank) as position,
  true as is_master, m.is_active, m.version, m.created_by, wire_time(m.created_at) as created_at,
  wire_time(m.updated_at) as updated_at, wire_time(m.deleted_at) as deleted_at`

const masterBoardColumns = columns('m.description, description_format(m.description),')

export async function readMasterBoard(queries: Queries, id: number): Promise<MasterBoard | undefined> {
  const [found] = await queries.run<MasterBoard>(
    `select ${masterBoardColumns} from master_boards m where m.id = $1 and m.deleted_at is null`,
    [id],
  )
  return found
}

export const listStatement = `with ${coverageOf('m.deleted_at is null')}
  select ${columns(listedDescription('m.description'))},
    (select count(*) from master_groups g where g.board_id = m.id and g.deleted_at is null) as groups_count,
    (select count(*) from master_cards c where c.board_id = m.id and c.deleted_at is null) as cards_count,
    ${coverageColumns}
  from master_boards m ${coverageTables}
  where m.deleted_at is null order by m.platform_id, m.rank`

const wholeStatement = `with ${coverageOf('m.id = $1')}
  select ${masterBoardColumns}, ${coverageColumns},
    (select coalesce(json_agg(group_row), '[]') from (
      select ${masterGroupColumns('row_number() over (order by g.rank)')},
        (select coalesce(json_agg(card_row), '[]') from (
          select ${masterCardColumns('row_number() over (order by c.rank)')}, ${countColumns}
          from master_cards c where c.group_id = g.id and c.deleted_at is null order by c.rank
        ) card_row) as cards
      from master_groups g where g.board_id = m.id and g.deleted_at is null order by g.rank
    ) group_row) as groups
  from master_boards m ${coverageTables} where m.id = $1 and m.deleted_at is null`

export async function readWholeMasterBoard(
  queries: Queries,
  id: number,
): Promise<WholeMasterBoard | undefined> {
  const [found] = await queries.run<WholeMasterBoard>(wholeStatement, [id])
  return found
}
