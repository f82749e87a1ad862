import { audited } from '#api/audited.ts'
import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { pauseRollout } from '#rollouts/pausing.ts'
import { readRollout, rollout } from '#rollouts/rollout.ts'
import { auditRollout } from './audit-rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/pause',
  summary: 'Pause a rollout: nothing is changed in projects until it is resumed',
  about:
    'Projects that have received it keep it. Batches at work are undone, and done again when it is resumed.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout.' }) },
  success: 200,
  message: 'The rollout is paused.',
  output: record({ rollout }),
  failures: { 400: { rollout_not_active: 'This rollout is neither running nor waiting.' }, 404: noRollout },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id }, db, fail, audit }) => {
      const isDone = await pauseRollout(db, id)
      const found = await readRollout(db, id)
      if (!found) throw fail(404, 'rollout_not_found')
      if (!isDone) throw fail(400, 'rollout_not_active')
      await auditRollout({ db, audit }, 'rollout.paused', id)
      return { rollout: found }
    }),
})
