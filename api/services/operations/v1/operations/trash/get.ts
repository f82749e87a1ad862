import { operation } from '#api/operation.ts'
import { kinds, readTrashed, thing } from '#boards/trash/trash.ts'
import { integer, oneOf, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/trash/get',
  summary:
    'Get who deleted a board, group or card in the last 30 days, when, and what can be restored with it',
  audience: 'read',
  on: { 'deleted thing': 'id' },
  input: { kind: oneOf(kinds), id: integer({ about: 'The id of what was deleted.' }) },
  success: 200,
  message: 'What was deleted.',
  output: record({ thing }),
  failures: {},
  async handle({ input: { kind, id }, projectId, db }) {
    const found = await readTrashed(db, projectId, kind, id)
    return found && { thing: found }
  },
})
