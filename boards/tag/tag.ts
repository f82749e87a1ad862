import { flag, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { shownAuthor } from '#events/shown-name.ts'
import { isOnBoard } from '../group/archiving.ts'

/** The contract's Tag. */
export const tag = record({
  id: integer(),
  project_id: integer(),
  position: integer(),
  created_by: nullable(integer()),
  name: text(),
  color: nullable(text()),
  icon: nullable(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
  is_active: flag(),
})

export type Tag = (typeof tag)['static']

/** `t` is the tag. */
export const tagColumns = (position: string) => `
  t.id, t.project_id, ${position} as position, ${shownAuthor('t.project_id', 't.created_by')} as created_by, t.name, t.color, t.icon,
  wire_time(t.created_at) as created_at, wire_time(t.updated_at) as updated_at, wire_time(t.deleted_at) as deleted_at,
  t.is_active`

const positionInProject = `(select count(*) from tags before
  where before.project_id = $1 and before.deleted_at is null and before.rank <= t.rank)`

export async function readTag(queries: Queries, projectId: number, id: number): Promise<Tag | undefined> {
  const [found] = await queries.run<Tag>(
    `select ${tagColumns(positionInProject)} from tags t where t.project_id = $1 and t.id = $2 and t.deleted_at is null`,
    [projectId, id],
  )
  return found
}

/** The tags of a project in their order. */
export const listTags = (queries: Queries, projectId: number): Promise<Tag[]> =>
  queries.run(
    `select ${tagColumns('row_number() over (order by t.rank)')} from tags t
     where t.project_id = $1 and t.deleted_at is null order by t.rank`,
    [projectId],
  )

export const tagUsage = record({
  tag_id: integer({ about: 'The id of the tag.' }),
  cards_count: integer({ about: 'Cards that have it, without those of archived groups.' }),
  boards_count: integer({ about: 'Boards with such cards.' }),
})

/** How many cards on how many boards have each tag that is in use. */
export const countTagUsage = (queries: Queries, projectId: number): Promise<(typeof tagUsage)['static'][]> =>
  queries.run(
    `select c.tag_id, count(*) as cards_count, count(distinct c.board_id) as boards_count from cards c
     join boards b on b.project_id = $1 and b.id = c.board_id and b.deleted_at is null
     where c.project_id = $1 and c.tag_id is not null and c.deleted_at is null and ${isOnBoard('c')}
     group by c.tag_id order by c.tag_id`,
    [projectId],
  )
