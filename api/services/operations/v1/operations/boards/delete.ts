import { operation } from '#api/operation.ts'
import { deleteBoard } from '#boards/board/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/delete',
  summary: 'Delete a board with its groups, cards and comments',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The board was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await inProjectOf({ db, caller, permission: 'manage', kind: 'boards', id }, fail, ({ projectId }) =>
      deleteBoard(db, { projectId, id, actorId: caller.id }),
    )
    return []
  },
})
