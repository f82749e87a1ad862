import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { listPlanned, plannedCard } from '#rollouts/plan.ts'
import { readRollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/plan/list-cards',
  summary:
    'What a plan says about each card of the template: in how many projects it is added, updated, moved, kept or left out',
  about: 'The template itself and its groups come first. The list is empty until the plan is made.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The planned changes.',
  output: record({ cards: list(plannedCard) }),
  failures: { 404: noRollout },
  async handle({ input: { id }, db, fail }) {
    if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
    return { cards: await listPlanned(db, id) }
  },
})
