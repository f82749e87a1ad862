import { operation } from '#api/operation.ts'
import { details, integer, list, nullable, optional, record, text, timestamp } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { pageInput, pageOf, pageOutput, readPage } from '../page.ts'

const entry = record({
  id: integer(),
  board_id: nullable(integer()),
  card_id: nullable(integer()),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  kind: text(),
  data: details(),
  created_at: timestamp(),
})

export default operation({
  path: '/services/operations/v1/operations/activity/list',
  summary: 'Who changed what on a board, or on one of its cards, the newest first, a page at a time',
  audience: 'read',
  input: { board_id: integer(), card_id: optional(integer()), ...pageInput },
  success: 200,
  message: 'What happened.',
  output: record({ activity: list(entry), ...pageOutput }),
  failures: [403, 404, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { board_id: id, card_id: cardId = null } = input
    const rows = await inProjectOf(
      { db, caller, permission: 'read', kind: 'boards', id },
      fail,
      async ({ projectId }) => {
        const boards = await db.run(
          'select from boards where project_id = $1 and id = $2 and deleted_at is null',
          [projectId, id],
        )
        if (boards.length === 0) return undefined
        const values = [projectId, id, cardId, after, limit + 1]
        return db.run<(typeof entry)['static']>(cardId === null ? boardStatement : cardStatement, values)
      },
    )
    const page = pageOf(rows, limit)
    return { activity: page.rows, next_cursor: page.next_cursor }
  },
})

const statement = (concerned: string) => `
  select e.id, nullif(e.board_id, 0) as board_id, e.card_id, e.actor_id, u.name as actor_name, e.kind, e.data,
    wire_time(e.created_at) as created_at
  from events e left join users u on u.id = e.actor_id
  where e.project_id = $1 and ${concerned} and ($4::bigint is null or e.id < $4)
  order by e.id desc limit $5`

const boardStatement = statement('$3::bigint is null and e.board_id = $2')
const cardStatement = statement('e.board_id = $2 and e.card_id = $3')
