import { operation } from '#api/operation.ts'
import { deletedThings, kinds, thingFields } from '#boards/trash.ts'
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

const thing = record({
  ...thingFields,
  /** What was deleted where the thing only went with it. */
  deleted_with: nullable(oneOf(['board', 'group'])),
  deleted_by_name: nullable(text()),
  deleted_at: timestamp(),
})

const tables = { board: 'boards', group: 'groups', card: 'cards' } as const

export default operation({
  path: '/services/operations/v1/operations/trash/get',
  summary: 'Who deleted a board, group or card in the last 30 days, when, and with what it can be restored',
  audience: 'read',
  input: { kind: oneOf(kinds), id: integer() },
  success: 200,
  message: 'What was deleted.',
  output: record({ thing }),
  failures: [403, 404],
  async handle({ input: { kind, id }, caller, db, fail }) {
    const question = { db, caller, permission: 'read', kind: tables[kind], id, isDeleted: true } as const
    return inProjectOf(question, fail, async ({ projectId }) => {
      const [found] = await db.run<(typeof thing)['static']>(getStatement, [projectId, kind, id])
      return found && { thing: found }
    })
  },
})

const ofThing = deletedThings({
  board: `$2 = 'board' and b.id = $3 and b.deleted_at > kept_since()`,
  group: `$2 = 'group' and g.id = $3 and g.deleted_at > kept_since()`,
  card: `$2 = 'card' and c.id = $3 and c.deleted_at > kept_since()`,
})

const getStatement = `
  select gone.kind, gone.thing_id, gone.title, gone.board_title, gone.created_by, gone.is_group_deleted,
    gone.is_board_deleted, gone.returns_to_group, gone.deleted_with, u.name as deleted_by_name,
    wire_time(gone.deleted_at) as deleted_at
  from (${ofThing}) gone left join users u on u.id = gone.deleted_by`
