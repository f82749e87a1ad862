import { audited } from '#api/audited.ts'
import { noRollout, stoppedBy, templateStopped } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { continueRollout } from '#rollouts/pausing.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditRollout } from './audit-rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/resume',
  summary: 'Resume a paused rollout',
  about: 'A rollout that had paused by itself counts from zero, and pauses again after as many more.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The rollout continues.',
  output: record({ rollout }),
  failures: {
    400: { rollout_not_paused: 'This rollout is not paused.', ...templateStopped },
    404: noRollout,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id }, db, fail, audit }) => {
      const outcome = await continueRollout(db, id)
      if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
      if (outcome === 'not paused') throw fail(400, 'rollout_not_paused')
      if (outcome !== 'continued') throw stoppedBy(outcome, fail)
      await auditRollout({ db, audit }, 'rollout.resumed', id)
      return { rolloutId: id }
    }),
  async handle({ begun: { rolloutId }, db, rollouts }) {
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
