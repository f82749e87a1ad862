import { operation } from '#api/operation.ts'
import { personal, readPersonal } from '#boards/board/personal.ts'
import { integer } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/get-personal',
  summary:
    'Get what a board has for the caller alone: the groups that they collapsed or expanded, and the comments of its cards with how many are unread',
  audience: 'read',
  on: { board: 'board_id' },
  input: { board_id: integer() },
  success: 200,
  message: 'The board for you.',
  output: personal,
  failures: {},
  async handle({ input: { board_id: boardId }, caller, projectId, db }) {
    return readPersonal(db, { projectId, boardId, userId: caller.id })
  },
})
