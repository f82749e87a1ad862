import { flag, integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { epoch, versionOf } from '#database/epoch.ts'
import { card, cardColumns } from '../card/card.ts'
import { descriptionFormat } from '../description-format.ts'
import { group, groupColumns } from '../group/group.ts'
import { tag, tagColumns } from '../tag/tag.ts'

const fields = {
  id: integer(),
  project_id: integer(),
  platform_id: integer(),
  master_board_id: nullable(integer()),
  tool_key: nullable(text()),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  icon: nullable(text()),
  color: nullable(text()),
  position: integer(),
  is_master: flag(),
  is_active: flag(),
  created_by: nullable(integer()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
}

export const board = record(fields)

export const boardInList = record({
  ...fields,
  groups_count: integer(),
  cards_count: integer(),
  open_cards_count: integer(),
  overdue_cards_count: integer(),
})

export const wholeBoard = record({
  ...fields,
  groups: list(record({ ...group.properties, cards: list(card) })),
  tags: list(tag),
})

/** `b` is the board, `p` its project. */
export const boardColumns = `
  b.id, b.project_id, p.platform_id, b.master_board_id, b.tool_key, b.title, b.description,
  description_format(b.description), b.icon, b.color,
  (select count(*) from boards before
    where before.project_id = b.project_id and before.deleted_at is null and before.rank <= b.rank) as position,
  false as is_master, b.is_active, b.created_by, wire_time(b.created_at) as created_at,
  wire_time(b.updated_at) as updated_at, wire_time(b.deleted_at) as deleted_at`

/** The board belongs to no tool, or to one that the project has. */
export const hasAccess = '(b.tool_key is null or p.tool_keys ? b.tool_key)'

type Board = (typeof board)['static']

export async function readBoard(queries: Queries, projectId: number, id: number): Promise<Board | undefined> {
  const [found] = await queries.run<Board>(
    `select ${boardColumns} from boards b join projects p on p.id = b.project_id
     where b.project_id = $1 and b.id = $2 and b.deleted_at is null`,
    [projectId, id],
  )
  return found
}

/** What tells whether a board that was read is still true. */
const keptSince = `${epoch} as epoch, ${versionOf('$1')} as version,
  (select min(c.due_date) from cards c where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null
    and c.due_date >= now() and c.status <> 'closed') as next_due`

const theBoard = 'b.project_id = $1 and b.id = $2 and b.deleted_at is null'

/**
 * The whole board as JSON text, made by PostgreSQL: three times as fast as rows that JavaScript turns into text. Null for a board
 * of more than $3 bytes, which is read in pieces.
 */
export const wholeBoardStatement = `
  select ${keptSince}, case when coalesce(size.bytes, 0) <= $3 then (select row_to_json(whole)::text from (
    select ${boardColumns},
      (select coalesce(json_agg(group_row), '[]') from (
        select ${groupColumns('row_number() over (order by g.rank)')},
          (select coalesce(json_agg(card_row), '[]') from (
            select ${cardColumns('row_number() over (order by c.rank)')}
            from cards c where c.project_id = $1 and c.group_id = g.id and c.deleted_at is null order by c.rank
          ) card_row) as cards
        from groups g where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null order by g.rank
      ) group_row) as groups,
      (select coalesce(json_agg(tag_row), '[]') from (
        select ${tagColumns('row_number() over (order by t.rank)')} from tags t
        where t.project_id = $1 and t.deleted_at is null order by t.rank
      ) tag_row) as tags
    from boards b join projects p on p.id = b.project_id where ${theBoard}
  ) whole) end as json
  from boards b left join board_sizes size on size.project_id = $1 and size.board_id = $2
  where ${theBoard}`

/** The pieces of a large board: itself with the project's tags, its groups, and the cards of a group. */
export const boardStatement = `
  select ${keptSince}, (select row_to_json(alone)::text from (select ${boardColumns}) alone) as json,
    (select coalesce(json_agg(tag_row), '[]')::text from (
      select ${tagColumns('row_number() over (order by t.rank)')} from tags t
      where t.project_id = $1 and t.deleted_at is null order by t.rank
    ) tag_row) as tags
  from boards b join projects p on p.id = b.project_id where ${theBoard}`

export const groupsStatement = `
  select group_row.id, row_to_json(group_row)::text as json from (
    select ${groupColumns('row_number() over (order by g.rank)')} from groups g join projects p on p.id = $1
    where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null order by g.rank
  ) group_row`

export const cardsStatement = `
  select row_to_json(card_row)::text as json from (
    select ${cardColumns('row_number() over (order by c.rank)')} from cards c join projects p on p.id = $1
    where c.project_id = $1 and c.group_id = $2 and c.deleted_at is null order by c.rank
  ) card_row`
