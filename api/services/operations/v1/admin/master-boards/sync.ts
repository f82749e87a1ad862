import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { startBoardPush } from '#templates/starting.ts'
import { finished } from '../pushes/push.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/sync',
  summary: 'Bring every project up to date with a master board, except for what a project changed itself',
  audience: 'superadmin',
  input: { board_id: integer() },
  success: 200,
  message: 'The projects are up to date.',
  output: record({ synced_count: integer(), skipped_no_access: integer() }),
  failures: [400, 404],
  writes: true,
  begin({ input: { board_id: boardId }, caller, db, fail }) {
    return db.transaction(async (queries) => {
      const started = await startBoardPush(queries, boardId, caller.id)
      if (started === 'no board') throw fail(404, 'There is no master board with this id.')
      if (started === 'inactive') throw fail(400, 'This master board is inactive; activate it to sync it.')
      return started
    })
  },
  async handle({ begun: { pushId }, pusher, fail }) {
    const { counts, syncedCount } = await finished(pusher, pushId, fail)
    return { synced_count: syncedCount, skipped_no_access: counts.no_access }
  },
})
