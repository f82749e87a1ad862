import { operation } from '#api/operation.ts'
import { markRead } from '#boards/comment/reading.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/mark-read',
  summary: 'Mark one comment of a card, or all of them, as read by the caller',
  audience: 'read',
  input: { card_id: integer(), comment_id: optional(integer()) },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { card_id: id, comment_id: commentId = null }, caller, db, fail }) {
    const question = { db, caller, permission: 'read', kind: 'cards', id } as const
    const outcome = await inProjectOf(question, fail, ({ projectId }) =>
      markRead(db, { projectId, cardId: id, readerId: caller.id }, commentId),
    )
    if (outcome === 'no comment') throw fail(422, invalid('comment_id'))
    return { read_count: outcome }
  },
})
