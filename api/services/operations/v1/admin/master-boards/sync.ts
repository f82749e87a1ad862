import { audited } from '#api/audited.ts'
import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { startBoardRollout } from '#rollouts/starting.ts'
import { auditStarted } from '../rollouts/audit-rollout.ts'
import { endedEarly, finished, saidWithFailures } from '../rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/sync',
  summary: 'Roll out a template to every project; what a project customized stays',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: { board_id: integer({ about: 'The id of the template.' }) },
  success: 200,
  message: 'The projects are up to date.',
  output: record({ synced_count: integer(), skipped_no_access: integer() }),
  failures: {
    400: {
      ...endedEarly,
      master_board_inactive: 'This template is inactive; activate it to roll it out.',
    },
    404: noMasterBoard,
  },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { board_id: boardId }, caller, db, fail, audit }) => {
      const started = await startBoardRollout(db, boardId, caller.id)
      if (started === 'no board') throw fail(404, 'master_board_not_found')
      if (started === 'inactive') throw fail(400, 'master_board_inactive')
      await auditStarted({ audit }, 'rollout.started', started)
      return { rolloutId: started.rolloutId }
    }),
  async handle({ begun: { rolloutId }, rollouts, fail }) {
    const result = await finished(rollouts, rolloutId, fail)
    const counts = { synced_count: result.syncedCount, skipped_no_access: result.counts.no_access }
    return saidWithFailures(rolloutId, result, counts)
  },
})
