import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { lockMasterBoard } from '#templates/masters.ts'
import { readSyncedCount, startPush } from '#templates/push.ts'
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
      const board = await lockMasterBoard(queries, boardId)
      if (!board) throw fail(404, 'There is no master board with this id.')
      if (!board.is_active) throw fail(400, 'This master board is inactive; activate it to sync it.')
      const pushId = await startPush(queries, { kind: 'board', boardId, cardId: null, actorId: caller.id })
      return { pushId }
    })
  },
  async handle({ begun: { pushId }, db, pusher, fail }) {
    const { no_access } = await finished({ db, pusher }, pushId, fail)
    return { synced_count: await readSyncedCount(db, pushId), skipped_no_access: no_access }
  },
})
