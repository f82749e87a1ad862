import type { Queries } from '#database/connect.ts'
import { isOpen, isOverdue, isOverdueOn } from '../card/closing.ts'
import { isOnBoard } from '../group/archiving.ts'
import { withListedDescription } from '../listed-description.ts'
import { boardColumnsInList, type boardInList, hasAccess } from './board.ts'

type BoardInList = (typeof boardInList)['static']

const openCounts = (isLate: string) => `
  count(*) filter (where ${isOpen('c')}) as open_cards_count,
  count(*) filter (where ${isOpen('c')} and ${isLate}) as overdue_cards_count`

/** The date of the reader, or else of the project; null if neither is known. */
const today = `coalesce($3::text, (select to_char(now() at time zone time_zone, 'YYYY-MM-DD') from projects where id = $1))`

/** The cards are counted once: PostgreSQL did it for each board when it took the project for a small one. */
const listStatement = `
  with held as materialized (
    select board_id, count(*) as cards_count, ${openCounts(isOverdueOn('c', today))}
    from cards c where c.project_id = $1 and c.deleted_at is null and ${isOnBoard('c')} group by board_id
  )
  select ${boardColumnsInList},
    (select count(*) from groups g where g.project_id = $1 and g.board_id = b.id and g.deleted_at is null and g.is_active)
      as groups_count,
    coalesce(held.cards_count, 0) as cards_count, coalesce(held.open_cards_count, 0) as open_cards_count,
    coalesce(held.overdue_cards_count, 0) as overdue_cards_count
  from boards b join projects p on p.id = b.project_id
  left join held on held.board_id = b.id
  where b.project_id = $1 and b.deleted_at is null and b.is_active and ${hasAccess}
    and ($2::text is null or b.tool_key = $2)
  order by b.rank`

/** The active boards of a project that it has access to, or those of one tool, in their order; `today` is the date of the reader. */
export async function listBoards(
  queries: Queries,
  projectId: number,
  { toolKey, today }: { toolKey: string | null; today: string | null },
): Promise<BoardInList[]> {
  const boards = await queries.run<BoardInList>(listStatement, [projectId, toolKey, today])
  return boards.map(withListedDescription)
}

type OpenCounts = Pick<BoardInList, 'open_cards_count' | 'overdue_cards_count'>

/** The open cards of one board, as the list counts them. */
export async function countOpen(queries: Queries, projectId: number, id: number): Promise<OpenCounts> {
  const [counts] = await queries.run<OpenCounts>(
    `select ${openCounts(isOverdue('c'))} from cards c where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null
       and ${isOnBoard('c')}`,
    [projectId, id],
  )
  return counts as OpenCounts
}
