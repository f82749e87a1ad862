import { flag, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Payload } from '#events/catalogue.ts'
import { shownAuthor } from '#events/shown-name.ts'
import { payloadOf } from '../changes.ts'
import { descriptionFormat } from '../description-format.ts'

/** The contract's Group. */
export const group = record({
  id: integer(),
  project_id: nullable(integer()),
  platform_id: integer(),
  master_group_id: nullable(integer()),
  board_id: integer(),
  position: integer(),
  created_by: nullable(integer()),
  is_master: flag(),
  is_collapsed: flag(),
  is_active: flag(),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  type: nullable(text()),
  color: nullable(text()),
  icon: nullable(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
})

export type Group = (typeof group)['static']

/** `g` is the group, `p` its project. */
export const groupColumns = (position: string) => `
  g.id, g.project_id, p.platform_id, g.master_group_id, g.board_id, ${position} as position,
  ${shownAuthor('g.project_id', 'g.created_by')} as created_by,
  false as is_master, g.is_collapsed, g.is_active, g.title, g.description,
  description_format(g.description), g.type, g.color, g.icon,
  wire_time(g.created_at) as created_at, wire_time(g.updated_at) as updated_at, wire_time(g.deleted_at) as deleted_at`

/** For an archived group, the position that it would return to. */
export const positionInBoard = `(select 1 + count(*) from groups before where before.project_id = $1
  and before.board_id = g.board_id and before.deleted_at is null and before.is_active and before.rank < g.rank)`

export async function readGroup(queries: Queries, projectId: number, id: number): Promise<Group | undefined> {
  const [found] = await queries.run<Group>(
    `select ${groupColumns(positionInBoard)} from groups g join projects p on p.id = g.project_id
     where g.project_id = $1 and g.id = $2 and g.deleted_at is null`,
    [projectId, id],
  )
  return found
}

/** The event payload of a group that is created or restored. */
export const groupPayload = (group: Group): Payload<'group.created'> => ({
  group_id: group.id,
  ...payloadOf(group, [
    'title',
    'position',
    'master_group_id',
    'type',
    'icon',
    'color',
    'is_collapsed',
    'is_active',
    'created_by',
    'created_at',
  ]),
})
