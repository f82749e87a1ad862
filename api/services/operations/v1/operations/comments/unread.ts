import { operation } from '#api/operation.ts'
import { countUnread } from '#boards/comment/reading.ts'
import { integer, list, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/unread',
  summary:
    'How many comments of each card of a board the caller has not read; cards without any are left out',
  audience: 'read',
  input: { board_id: integer() },
  success: 200,
  message: 'The unread comments.',
  output: record({ cards: list(record({ card_id: integer(), unread_count: integer() })) }),
  failures: [403, 404],
  async handle({ input: { board_id: id }, caller, db, fail }) {
    const question = { db, caller, permission: 'read', kind: 'boards', id } as const
    const cards = await inProjectOf(question, fail, ({ projectId }) =>
      countUnread(db, { projectId, boardId: id, readerId: caller.id }),
    )
    return { cards }
  },
})
