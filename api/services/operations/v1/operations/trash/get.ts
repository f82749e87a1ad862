import { operation } from '#api/operation.ts'
import { kinds, readTrashed, thing } from '#boards/trash/trash.ts'
import { integer, oneOf, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

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
    const found = await inProjectOf(question, fail, ({ projectId }) => readTrashed(db, projectId, kind, id))
    return { thing: found }
  },
})
