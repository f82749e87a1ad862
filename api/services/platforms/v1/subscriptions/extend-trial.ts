import { audited } from '#api/audited.ts'
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
  failures: {
    400: {
      not_a_trial: 'Only a trial can be extended.',
      trial_too_long: 'A trial can end in ten years at most.',
    },
  },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id, days }, caller, projectId, db, fail, auditForProjects }) => {
      const extended = await extendTrial(db, { projectId, id, days, actorId: caller.id })
      if (!extended) return undefined
      const subscription = granted(extended, fail)
      await auditForProjects([projectId], {
        kind: 'trial.extended',
        details: { product: subscription.product, days },
      })
      return { subscription }
    }),
})
