import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { reportResults } from '#evaluations/reporting.ts'
import { resultInput } from './result.ts'

export default operation({
  path: '/services/operations/v1/operations/evaluations/report',
  summary:
    "Report the result of a check: passed closes the project's cards with this check, failed reopens the cards that the check had closed",
  audience: 'work',
  on: { project: 'project_id', or: 'project' },
  input: resultInput,
  success: 200,
  message: 'The result was reported.',
  output: record({ matched: integer(), changed: integer() }),
  failures: {},
  writes: true,
  async handle({ input: { check, project_id, passed, detail = null }, caller, projectId, db }) {
    if (typeof project_id === 'number' && project_id !== projectId) return undefined
    const { matched, changed } = await reportResults(db, [{ projectId, check, passed, detail }], caller.id)
    return { matched: matched[0] as number, changed }
  },
})
