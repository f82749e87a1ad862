import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, oneOf, optional, record, text } from '#contract/schema.ts'
import { listPlannedProjects, plannedProject, planOutcomes } from '#rollouts/plan.ts'
import { reasonSentence } from '#rollouts/refusal.ts'
import { readRollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/plan/list-projects',
  summary: 'What a plan says about each project, a page at a time',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    query: optional(text({ max: 255, about: 'Part of the name of a project, or its id; by default all.' })),
    outcome: optional(oneOf(planOutcomes)),
    ...pageInput,
  },
  success: 200,
  message: 'The planned projects.',
  output: record({ projects: list(plannedProject), ...pageOutput }),
  failures: { 404: noRollout, 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, db, http, fail }) {
    const { after, limit } = readPage(input, fail)
    if (!(await readRollout(db, input.id))) throw fail(404, 'rollout_not_found')
    const { id: rolloutId, query = null, outcome = null } = input
    const found = await listPlannedProjects(db, { rolloutId, query, outcome, after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit)
    const projects = rows.map((row) => ({ ...row, error: row.error && http.say(reasonSentence(row.error)) }))
    return { projects, next_cursor }
  },
})
