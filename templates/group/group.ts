import type { Group } from '#boards/group/group.ts'
import type { Queries } from '#database/connect.ts'

/** The contract's Group; `g` is the template's group, `m` the template. */
export const templateGroupColumns = (position: string) => `
  g.id, null::bigint as project_id, m.platform_id, null::bigint as master_group_id, g.board_id, ${position} as position,
  g.created_by, true as is_master, g.is_collapsed, true as is_active, g.title, g.description,
  description_format(g.description), g.type, g.color, g.icon, wire_time(g.created_at) as created_at, wire_time(g.updated_at) as updated_at,
  wire_time(g.deleted_at) as deleted_at`

const positionInBoard = `(select count(*) from master_groups before
  where before.board_id = g.board_id and before.deleted_at is null and before.rank <= g.rank)`

export async function readTemplateGroup(queries: Queries, id: number): Promise<Group | undefined> {
  const [found] = await queries.run<Group>(
    `select ${templateGroupColumns(positionInBoard)} from master_groups g join master_boards m on m.id = g.board_id
     where g.id = $1 and g.deleted_at is null`,
    [id],
  )
  return found
}
