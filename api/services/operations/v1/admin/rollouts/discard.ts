import { audited } from '#api/audited.ts'
import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { discardPlan } from '#rollouts/applying.ts'
import { auditedRollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/discard',
  summary: 'Discard a plan that was not applied',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The plan was discarded.',
  output: nothing,
  failures: { 400: { rollout_begun: 'This rollout has begun already.' }, 404: noRollout },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id }, db, fail, audit }) => {
      const plan = await auditedRollout(db, id)
      const outcome = await discardPlan(db, id)
      if (outcome === 'missing') throw fail(404, 'rollout_not_found')
      if (outcome === 'not a plan') throw fail(400, 'rollout_begun')
      if (plan) await audit({ kind: 'rollout.discarded', ...plan })
      return []
    }),
})
