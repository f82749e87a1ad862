import { operation } from '#api/operation.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { reportResults } from '#evaluations/reporting.ts'
import { resultInput } from './result.ts'

const mostResults = 1_000

export default operation({
  path: '/services/operations/v1/operations/evaluations/report-many',
  summary: `Report up to ${mostResults.toLocaleString('en')} results at once, for one or several projects; if one is refused, none is stored`,
  about:
    'Results of archived projects are left out, with `matched: 0`, unless all of the projects are archived: then the call is refused.',
  audience: 'work',
  on: { project: 'results.project_id', or: 'project' },
  input: { results: list(record(resultInput), { max: mostResults }) },
  success: 200,
  message: 'The results were reported.',
  output: record({
    matched: integer(),
    changed: integer(),
    /** In the order of the request. */
    results: list(record({ project_id: integer(), check: text(), matched: integer() })),
  }),
  failures: {},
  writes: true,
  async handle({ input, caller, projectId, db }) {
    const results = input.results.map(({ check, project_id, passed, detail }) => ({
      ...{ projectId: project_id ?? projectId, check, passed },
      detail: detail ?? null,
    }))
    const { matched, changed } = await reportResults(db, results, caller.id)
    return {
      matched: matched.reduce((sum, count) => sum + count, 0),
      changed,
      results: results.map((result, index) => ({
        ...{ project_id: result.projectId, check: result.check },
        matched: matched[index] as number,
      })),
    }
  },
})
