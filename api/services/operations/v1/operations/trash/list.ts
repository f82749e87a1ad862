import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { deletedThings, thingFields } from './thing.ts'

const thing = record({
  /** Of the deletion, which is what the list is ordered by. */
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

/** A thing is as deleted as its event says where both have the time of one transaction; restored and deleted again, it has another. */
const ofEvent = deletedThings({
  board: `e.kind = 'board.deleted' and b.id = (e.data->>'board_id')::bigint and b.deleted_at = e.created_at`,
  group: `e.kind = 'group.deleted' and g.id = (e.data->>'group_id')::bigint and g.deleted_at = e.created_at`,
  card: `e.kind = 'card.deleted' and c.id = e.card_id and c.deleted_at = e.created_at`,
})

const listStatement = `
  select e.id, gone.kind, gone.thing_id, gone.title, gone.board_title, gone.created_by, gone.is_group_deleted,
    gone.is_board_deleted, gone.returns_to_group, coalesce((e.data->>'cards_count')::integer, 1) as cards_count,
    u.name as deleted_by_name, wire_time(e.created_at) as deleted_at
  from events e
  left join users u on u.id = e.actor_id
  join lateral (${ofEvent}) gone on true
  where e.project_id = $1 and e.kind in ('board.deleted', 'group.deleted', 'card.deleted')
    and e.created_at > kept_since() and ($2::bigint is null or e.id < $2)
  order by e.id desc limit $3`
