import { audited } from '#api/audited.ts'
import { noRollout, stoppedBy, templateStopped } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { beginNextStage } from '#rollouts/staging.ts'
import { auditRollout } from './audit-rollout.ts'
import { mostStages } from './course.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/start-next-stage',
  summary: 'Start the next stage of a rollout that waits for it',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    stage: optional(
      integer({
        min: 0,
        max: mostStages,
        about:
          'The `stage` of the rollout as it was read: refused if another stage has begun since, so that two people do not start two stages.',
      }),
    ),
  },
  success: 200,
  message: 'The next stage has begun.',
  output: record({ rollout }),
  failures: {
    400: {
      rollout_not_waiting: 'This rollout does not wait for its next stage.',
      rollout_stage_begun: 'Another stage has begun already; read the rollout again.',
      rollout_undone: 'Too many projects have undone this rollout, so it was paused instead.',
      ...templateStopped,
    },
    404: noRollout,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id, stage = null }, db, fail, audit }) => {
      const outcome = await beginNextStage(db, id, stage)
      if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
      if (outcome === 'not waiting') throw fail(400, 'rollout_not_waiting')
      if (outcome === 'another stage') throw fail(400, 'rollout_stage_begun')
      // It stays paused, so the failure comes after the commit.
      if (outcome === 'undone') return { rolloutId: id, isPaused: true }
      if (outcome !== 'begun') throw stoppedBy(outcome, fail)
      await auditRollout({ db, audit }, 'rollout.stage_started', id)
      return { rolloutId: id, isPaused: false }
    }),
  async handle({ begun: { rolloutId, isPaused }, db, rollouts, fail }) {
    if (isPaused) throw fail(400, 'rollout_undone')
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
