import { flag, integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { shownAuthor } from '#events/shown-name.ts'

/** The pages that views are saved of, besides boards. */
export const pagesWithoutBoard = ['my_cards', 'search'] as const

/** A saved view: a page of the web app with the parameters of its address, under a name. */
export const view = record({
  id: integer({ about: 'Names the view in `views/update` and `views/delete`.' }),
  project_id: integer({ about: 'The project whose cards it shows.' }),
  page: oneOf(['board', ...pagesWithoutBoard], { about: 'The page of the web app that it is of.' }),
  board_id: nullable(integer({ about: 'The board, if it is of one.' })),
  name: text({ about: 'Shown in the menu of views.' }),
  parameters: text({ about: 'The view, filters, sorting and columns, as in the address of the page.' }),
  is_shared: flag({ about: 'True for everyone in the project, false for you only.' }),
  created_by: nullable(integer({ about: 'Who saved it.' })),
  created_at: timestamp({ about: 'When it was saved.' }),
  updated_at: timestamp({ about: 'When it last changed.' }),
})

export type View = (typeof view)['static']

/** `v` is the view, $1 its project, $2 the reader. */
const columns = `v.id, v.project_id, v.page, v.board_id, v.name, v.parameters, v.owner_id is null as is_shared,
  ${shownAuthor('$1', 'v.created_by')} as created_by,
  wire_time(v.created_at) as created_at, wire_time(v.updated_at) as updated_at`
const isVisible = 'v.project_id = $1 and (v.owner_id is null or v.owner_id = $2)'
const isOfLiveBoard = `(v.board_id is null or v.board_id = any(array(
  select b.id from boards b where b.project_id = $1 and b.deleted_at is null)))`

export interface Reader {
  projectId: number
  userId: number
}

/** Undefined if the project has no such view, or if it is another person's. */
export async function readView(
  queries: Queries,
  { projectId, userId }: Reader,
  id: number,
): Promise<View | undefined> {
  const [found] = await queries.run<View>(
    `select ${columns} from saved_views v where ${isVisible} and v.id = $3`,
    [projectId, userId, id],
  )
  return found
}

/** The reader's own views and the project's, by name; those of deleted boards are left out. */
export const listViews = (queries: Queries, { projectId, userId }: Reader): Promise<View[]> =>
  queries.run(
    `select ${columns} from saved_views v where ${isVisible} and ${isOfLiveBoard}
     order by v.owner_id is null, lower(v.name), v.id`,
    [projectId, userId],
  )

/** How many views the project has for everyone, or one person for themselves; those of deleted boards do not count. */
export async function countViews(
  { run }: Queries,
  { projectId, userId }: Reader,
  isShared: boolean,
): Promise<number> {
  const [counted] = await run<{ count: number }>(
    `select count(*) as count from saved_views v
     where v.project_id = $1 and v.owner_id is not distinct from $2::bigint and ${isOfLiveBoard}`,
    [projectId, isShared ? null : userId],
  )
  return counted?.count as number
}
