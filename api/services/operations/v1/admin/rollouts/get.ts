import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, oneOf, optional, record, text } from '#contract/schema.ts'
import { listOutcomes, outcomes, projectOutcome } from '#rollouts/outcomes.ts'
import { reasonSentence, technicalDetails } from '#rollouts/refusal.ts'
import { readRollout, rollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/get',
  summary: 'The progress of a rollout, and its outcome in each project, a page at a time',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    outcome: optional(oneOf(outcomes)),
    differs: optional(
      flag({ about: 'Only projects that received something else than planned, or only the others.' }),
    ),
    query: optional(text({ max: 255, about: 'Part of the name of a project, or its id; by default all.' })),
    ...pageInput,
  },
  success: 200,
  message: 'The rollout.',
  output: record({ rollout, results: list(projectOutcome), ...pageOutput }),
  failures: { 404: noRollout, 422: badCursor },
  async handle({ input, db, http, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await readRollout(db, input.id)
    if (!found) throw fail(404, 'rollout_not_found')
    const { id: rolloutId, outcome = null, differs = null, query = null } = input
    const wanted = { rolloutId, outcome, differs, query, after, limit: limit + 1 }
    const results = await listOutcomes(db, wanted)
    const { rows, next_cursor } = pageOf(results, limit)
    const said = rows.map((row) => ({
      ...row,
      error: row.error && http.say(reasonSentence(row.error)),
      technical_details: row.error && technicalDetails(row.error),
    }))
    return { rollout: found, results: said, next_cursor }
  },
})
