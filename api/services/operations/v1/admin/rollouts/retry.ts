import { audited } from '#api/audited.ts'
import { noRollout, stoppedBy, templateStopped } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { reopenRollout } from '#rollouts/resuming.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditRollout } from './audit-rollout.ts'
import { brokenOff, resting } from './rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/retry',
  summary:
    'Resume a rollout with the projects where it failed, or which it had not reached when it was canceled',
  about: 'Answers when it has ended, is paused, or waits for its next stage.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The rollout was resumed.',
  output: record({ rollout }),
  failures: {
    400: {
      ...brokenOff,
      rollout_not_begun: 'This rollout has not begun; apply its plan.',
      rollout_running: 'This rollout is still running.',
      rollout_canceling: 'This rollout is still being canceled.',
      rollout_complete: 'This rollout has reached every project; there is nothing to retry.',
      rollout_reverted: 'This rollout was reverted; plan a new one.',
      rollout_not_ended: 'The rollout that it reverts is running again; wait until it has ended.',
      ...templateStopped,
    },
    404: noRollout,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id }, db, fail, audit }) => {
      const outcome = await reopenRollout(db, id)
      if (outcome === 'missing') throw fail(404, 'rollout_not_found')
      if (outcome === 'not begun') throw fail(400, 'rollout_not_begun')
      if (outcome === 'running') throw fail(400, 'rollout_running')
      if (outcome === 'canceling') throw fail(400, 'rollout_canceling')
      if (outcome === 'complete') throw fail(400, 'rollout_complete')
      if (outcome === 'reverted') throw fail(400, 'rollout_reverted')
      if (outcome === 'not ended') throw fail(400, 'rollout_not_ended')
      if (outcome !== 'reopened') throw stoppedBy(outcome, fail)
      await auditRollout({ db, audit }, 'rollout.resumed', id)
      return { rolloutId: id }
    }),
  async handle({ begun: { rolloutId }, db, rollouts, fail }) {
    // A rollout in stages is on its way again when it waits for the next one.
    await resting(rollouts, rolloutId, fail)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
