import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { deletedThings, thingFields } from '#boards/trash.ts'
import { integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

const thing = record({
  /** Of the deletion, which is what the list is ordered by: its time in microseconds. */
  id: integer(),
  ...thingFields,
  /** How many cards went with a board or group; 1 for a card. */
  cards_count: integer(),
  deleted_by_name: nullable(text()),
  deleted_at: timestamp(),
})

export default operation({
  path: '/services/operations/v1/operations/trash/list',
  summary: 'What was deleted in the last 30 days and can be restored, the newest first, a page at a time',
  audience: 'read',
  input: pageInput,
  success: 200,
  message: 'What was deleted.',
  output: record({ things: list(thing), ...pageOutput }),
  failures: [403, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const projectId = currentProject(caller, 'read', fail)
    const rows = await db.run<(typeof thing)['static']>(listStatement, [projectId, after, limit + 1])
    const page = pageOf(rows, limit)
    return { things: page.rows, next_cursor: page.next_cursor }
  },
})

/** Those that were deleted themselves; what went with them comes back with them. */
const deletedAlone = (
  alias: string,
) => `${alias}.deleted_by is not null and ${alias}.deleted_at > kept_since()
  and ($2::bigint is null or ${alias}.deleted_at < '1970-01-01Z'::timestamptz + $2 * interval '1 microsecond')`

const listStatement = `
  select (extract(epoch from gone.deleted_at) * 1000000)::bigint as id, gone.kind, gone.thing_id, gone.title, gone.board_title,
    gone.created_by, gone.is_group_deleted, gone.is_board_deleted, gone.returns_to_group, gone.cards_count,
    u.name as deleted_by_name, wire_time(gone.deleted_at) as deleted_at
  from (${deletedThings({ board: deletedAlone('b'), group: deletedAlone('g'), card: deletedAlone('c') })}) gone
  left join users u on u.id = gone.deleted_by
  order by gone.deleted_at desc limit $3`
