import { operation } from '#api/operation.ts'
import { countUnread } from '#boards/comment/reading.ts'
import { integer, list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/unread',
  summary:
    'Count the unread comments of each card of a board for the caller; cards without unread comments are left out',
  audience: 'read',
  on: { board: 'board_id' },
  input: { board_id: integer() },
  success: 200,
  message: 'The unread comments.',
  output: record({ cards: list(record({ card_id: integer(), unread_count: integer() })) }),
  failures: {},
  async handle({ input: { board_id: boardId }, caller, projectId, db }) {
    const cards = await countUnread(db, { projectId, boardId, readerId: caller.id })
    return cards && { cards }
  },
})
