import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { markRead } from '#boards/comment/reading.ts'
import { integer, optional, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/mark-read',
  summary: 'Mark one comment of a card, or all of them, as read by the caller',
  audience: 'read',
  on: { card: 'card_id' },
  input: { card_id: integer(), comment_id: optional(integer()) },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: { 422: { comment_id: notFound } },
  writes: true,
  async handle({ input: { card_id: cardId, comment_id: commentId = null }, caller, projectId, db, fail }) {
    const count = await markRead(db, { projectId, cardId, readerId: caller.id }, commentId)
    if (count === 'no comment') throw fail(422, { comment_id: 'not_found' })
    return count === undefined ? undefined : { read_count: count }
  },
})
