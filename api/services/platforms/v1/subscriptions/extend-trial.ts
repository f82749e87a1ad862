import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { subscription } from '#billing/shown.ts'
import { extendTrial } from '#billing/trial.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/extend-trial',
  summary: 'Add days to a trial, counted from its end, or from now if it has expired',
  audience: 'superadmin with billing',
  on: { subscription: 'id' },
  input: { id: integer(), days: integer({ min: 1, max: 365 }) },
  success: 200,
  message: 'The trial was extended.',
  output: record({ subscription }),
  failures: { 400: { not_a_trial: 'Only a trial can be extended.' } },
  writes: true,
  async handle({ input: { id, days }, caller, projectId, db, fail }) {
    const extended = await extendTrial(db, { projectId, id, days, actorId: caller.id })
    return extended && { subscription: granted(extended, fail) }
  },
})
