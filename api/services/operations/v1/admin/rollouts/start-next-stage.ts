import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { beginStage } from '#rollouts/staging.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/start-next-stage',
  summary: 'Start the next stage of a rollout that waits for it',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The next stage has begun.',
  output: record({ rollout }),
  failures: {
    400: { rollout_not_waiting: 'This rollout does not wait for its next stage.' },
    404: noRollout,
  },
  writes: true,
  async begin({ input: { id }, db, fail }) {
    const isDone = await beginStage(db, id, { isAtOnce: true })
    if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
    if (!isDone) throw fail(400, 'rollout_not_waiting')
    return { rolloutId: id }
  },
  async handle({ begun: { rolloutId }, db, rollouts }) {
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
