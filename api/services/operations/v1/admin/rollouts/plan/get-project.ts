import { noRollout, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import { plannedThing, readPlannedProject } from '#rollouts/plan.ts'
import { plannedOutcomes } from '#rollouts/planning.ts'
import { reasonSentence } from '#rollouts/refusal.ts'
import { readRollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/plan/get-project',
  summary: 'What one project of a plan would receive at this moment, card by card',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    project_id: integer({ about: 'The id of the project.' }),
  },
  success: 200,
  message: 'The planned changes of the project.',
  output: record({
    outcome: oneOf(plannedOutcomes),
    things: list(plannedThing),
    differs: flag({ about: 'Whether this is something else than what was planned.' }),
    error: nullable(text({ about: 'Why it would fail, and what to do.' })),
  }),
  failures: { 404: noRollout, 422: { project_id: notFound } },
  async handle({ input: { id, project_id: projectId }, db, http, fail }) {
    if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
    const found = await readPlannedProject(db, id, projectId)
    if (!found) throw fail(422, { project_id: 'not_found' })
    return { ...found, error: found.error && http.say(reasonSentence(found.error)) }
  },
})
