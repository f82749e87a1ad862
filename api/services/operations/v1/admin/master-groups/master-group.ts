import type { Group } from '#boards/group/group.ts'
import type { Queries } from '#database/connect.ts'

/** The contract's Group for a master; `g` is the master group, `m` its board. */
export const masterGroupColumns = (position: string) => `
  g.id, null::bigint as project_id, m.platform_id, null::bigint as master_group_id, g.board_id, ${position} as position,
  g.created_by, true as is_master, false as is_collapsed, true as is_active, g.title, g.description,
  description_format(g.description), null as type,
  null as color, null as icon, wire_time(g.created_at) as created_at, wire_time(g.updated_at) as updated_at,
  wire_time(g.deleted_at) as deleted_at`

const positionInBoard = `(select count(*) from master_groups before
  where before.board_id = g.board_id and before.deleted_at is null and before.rank <= g.rank)`

export async function readMasterGroup(queries: Queries, id: number): Promise<Group | undefined> {
  const [found] = await queries.run<Group>(
    `select ${masterGroupColumns(positionInBoard)} from master_groups g join master_boards m on m.id = g.board_id
     where g.id = $1 and g.deleted_at is null`,
    [id],
  )
  return found
}

/** The groups of a master board in their order. */
export const masterGroupRanks = ({ sql }: Queries, boardId: number) =>
  sql<{ id: number; rank: number }[]>`
    select id, rank from master_groups where board_id = ${boardId} and deleted_at is null order by rank`
