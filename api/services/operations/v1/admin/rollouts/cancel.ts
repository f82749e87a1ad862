import { audited } from '#api/audited.ts'
import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { cancelRollout } from '#rollouts/canceling.ts'
import { closeRollout } from '#rollouts/closing.ts'
import { isPlan, type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditRollout } from './audit-rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/cancel',
  summary:
    'Cancel a rollout: projects that have received it keep it; the status is canceling until unfinished work is undone',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The cancellation has begun.',
  output: record({ rollout }),
  failures: {
    400: {
      rollout_ended: 'This rollout has ended already.',
      rollout_not_begun: 'This rollout has not begun; discard its plan.',
    },
    404: noRollout,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id }, db, fail, audit }) => {
      const isCanceled = await cancelRollout(db, id)
      const found = await readRollout(db, id)
      if (!found) throw fail(404, 'rollout_not_found')
      if (isPlan(found)) throw fail(400, 'rollout_not_begun')
      if (!isCanceled) throw fail(400, 'rollout_ended')
      await auditRollout({ db, audit }, 'rollout.canceled', id)
      return { rolloutId: id }
    }),
  async handle({ begun: { rolloutId }, db }) {
    await closeRollout(db, rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
