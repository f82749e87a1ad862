import { audited } from '#api/audited.ts'
import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { planRevert } from '#fleet/planning-rollouts.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditStarted } from './audit-rollout.ts'
import {
  checkStages,
  courseFailures,
  courseInput,
  courseProblems,
  isCourseProblem,
  wantedCourse,
} from './course.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/revert',
  summary: 'Plan the revert of a rollout',
  about:
    'It is planned, read and applied like any other rollout. Values return where they are still as the rollout brought them; unused cards, groups and boards that it added, and cards that it brought back, go to the trash; cards that it deleted come back. Everything else stays.',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: { id: integer({ about: 'The id of the rollout to revert.' }), ...courseInput },
  success: 201,
  message: 'The revert is being planned.',
  output: record({ rollout }),
  failures: {
    400: {
      rollout_not_ended: 'This rollout has not ended yet.',
      rollout_is_revert: 'This rollout is a revert or a reset, which cannot be reverted.',
      rollout_changed_nothing: 'This rollout changed no projects.',
      rollout_already_reverted: 'This rollout was reverted already.',
    },
    404: noRollout,
    422: courseFailures,
  },
  writes: true,
  check: ({ input, fail }) => checkStages(input, fail),
  begin: (call) =>
    audited(call, async ({ input, caller, db, fail, audit }) => {
      const { id: rolloutId, ...request } = input
      const course = wantedCourse(input)
      const started = await planRevert(db, { rolloutId, course, actorId: caller.id, request })
      if (isCourseProblem(started)) throw fail(422, courseProblems[started])
      if (started === 'no rollout') throw fail(404, 'rollout_not_found')
      if (started === 'not ended') throw fail(400, 'rollout_not_ended')
      if (started === 'a revert') throw fail(400, 'rollout_is_revert')
      if (started === 'nothing') throw fail(400, 'rollout_changed_nothing')
      if (started === 'reverted') throw fail(400, 'rollout_already_reverted')
      if (started === 'no projects') throw fail(422, { stages: 'not_found' })
      await auditStarted({ audit }, 'rollout.planned', started)
      return { rolloutId: started.rolloutId }
    }),
  async handle({ begun: { rolloutId }, db, rollouts }) {
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})
