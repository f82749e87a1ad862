import { audited } from '#api/audited.ts'
import { noRollout, stoppedBy, templateStopped } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { applyPlan } from '#rollouts/applying.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditRollout } from './audit-rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/apply',
  summary: 'Apply a plan: roll out the version that it pinned to the projects that it pinned',
  about:
    'Answers when the rollout has begun. Projects that changed since they were planned receive what is right for them now, and count as `differs`.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The rollout has begun.',
  output: record({ rollout }),
  failures: {
    400: {
      rollout_planning: 'This rollout is still being planned.',
      rollout_begun: 'This rollout has begun already.',
      plan_expired: 'This plan is too old to be applied; plan the rollout again.',
      rollout_not_ended: 'The rollout that it reverts is running again; wait until it has ended.',
      ...templateStopped,
    },
    404: noRollout,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id }, caller, db, fail, audit }) => {
      const outcome = await applyPlan(db, id, caller.id)
      if (outcome === 'missing') throw fail(404, 'rollout_not_found')
      if (outcome === 'planning') throw fail(400, 'rollout_planning')
      if (outcome === 'not a plan') throw fail(400, 'rollout_begun')
      if (outcome === 'expired') throw fail(400, 'plan_expired')
      if (outcome === 'not ended') throw fail(400, 'rollout_not_ended')
      if (outcome !== 'begun') throw stoppedBy(outcome, fail)
      await auditRollout({ db, audit }, 'rollout.started', id)
      return { rolloutId: id }
    }),
  async handle({ begun: { rolloutId }, db, rollouts }) {
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
