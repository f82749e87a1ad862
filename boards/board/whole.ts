// Reads a whole board as JSON made by PostgreSQL: at once, or in pieces if it is large.
import { epoch, versionOf } from '#database/epoch.ts'
import { cardColumns } from '../card/card.ts'
import { willBeOverdue } from '../card/closing.ts'
import { groupColumns } from '../group/group.ts'
import { tagColumns } from '../tag/tag.ts'
import { boardColumns } from './board.ts'

/** When the next card of the board becomes overdue. */
export const nextDue = `
  (select min(c.due_date) from cards c where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null
    and ${willBeOverdue('c')})`

/** What decides whether a kept board is still up to date. */
const keptSince = `${epoch} as epoch, ${versionOf('$1')} as version, ${nextDue} as next_due`

const theBoard = 'b.project_id = $1 and b.id = $2 and b.deleted_at is null'

/**
 * The whole board as JSON text, which PostgreSQL makes three times as fast as JavaScript. Null for a board of more than $3 bytes,
 * which is read in pieces.
 */
export const wholeBoardStatement = `
  select ${keptSince}, case when coalesce(size.bytes, 0) <= $3 then (select row_to_json(whole)::text from (
    select ${boardColumns}, ${versionOf('$1')} as version,
      (select coalesce(json_agg(group_row), '[]') from (
        select ${groupColumns('row_number() over (order by g.rank)')},
          (select coalesce(json_agg(card_row), '[]') from (
            select ${cardColumns('row_number() over (order by c.rank)')}
            from cards c where c.project_id = $1 and c.group_id = g.id and c.deleted_at is null order by c.rank
          ) card_row) as cards
        from groups g where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null and g.is_active order by g.rank
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
  select ${keptSince}, (select row_to_json(alone)::text from (select ${boardColumns}, ${versionOf('$1')} as version) alone) as json,
    (select coalesce(json_agg(tag_row), '[]')::text from (
      select ${tagColumns('row_number() over (order by t.rank)')} from tags t
      where t.project_id = $1 and t.deleted_at is null order by t.rank
    ) tag_row) as tags
  from boards b join projects p on p.id = b.project_id where ${theBoard}`

export const groupsStatement = `
  select group_row.id, row_to_json(group_row)::text as json from (
    select ${groupColumns('row_number() over (order by g.rank)')} from groups g join projects p on p.id = $1
    where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null and g.is_active order by g.rank
  ) group_row`

export const cardsStatement = `
  select row_to_json(card_row)::text as json from (
    select ${cardColumns('row_number() over (order by c.rank)')} from cards c join projects p on p.id = $1
    where c.project_id = $1 and c.group_id = $2 and c.deleted_at is null order by c.rank
  ) card_row`
