import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { restoreBoard } from '#boards/board/restoring.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/restore',
  summary: 'Bring a deleted board back with the groups, cards and comments that went with it',
  audience: 'manage',
  on: { 'deleted board': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The board was restored.',
  output: record({ board }),
  failures: [400],
  writes: true,
  async handle({ input: { id }, caller, projectId, db, quotas, fail }) {
    const restoring = restoreBoard(db, quotas, { projectId, id, actorId: caller.id })
    const restored = await restoring.catch(refusedByState(fail))
    if (restored === 'not deleted') throw fail(400, 'This board is not deleted.')
    return restored && { board: restored }
  },
})
