import { operation } from '#api/operation.ts'
import { deleteBoard } from '#boards/board/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/delete',
  summary: 'Delete a board with its groups, cards and comments',
  audience: 'manage',
  on: { board: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The board was deleted.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input: { id }, caller, projectId, db }) {
    return (await deleteBoard(db, { projectId, id, actorId: caller.id })) && []
  },
})
