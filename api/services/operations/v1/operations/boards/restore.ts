import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { restoreBoard } from '#boards/board/restoring.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/restore',
  summary: 'Restore a deleted board with the groups, cards and comments deleted with it',
  audience: 'manage',
  on: { 'deleted board': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The board was restored.',
  output: record({ board }),
  failures: { 400: { ...limitReached, board_not_deleted: 'This board is not deleted.' } },
  writes: true,
  async handle({ input: { id }, caller, projectId, db, quotas, fail }) {
    const restoring = restoreBoard(db, quotas, { projectId, id, actorId: caller.id })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (restored === 'not deleted') throw fail(400, 'board_not_deleted')
    return restored && { board: restored }
  },
})
