import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { createComment } from '#boards/comment/writing.ts'
import { mentioned } from '#boards/mentioning.ts'
import { integer, optional, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/create',
  summary: 'Comment on a card, or reply to a comment',
  audience: 'work',
  on: { card: 'card_id' },
  input: { card_id: integer(), comment: text(), parent_comment_id: optional(integer()), mentions: mentioned },
  success: 201,
  message: 'The comment was created.',
  output: record({ comment }),
  failures: { 422: { card_id: limitReached, comment: limitReached, parent_comment_id: notFound } },
  writes: true,
  async handle({ input, caller, projectId, db, quotas, fail }) {
    const { card_id: cardId, comment, parent_comment_id: parentId = null, mentions } = input
    const action = { projectId, cardId, actorId: caller.id }
    const created = await createComment(db, quotas, action, {
      comment,
      parentId,
      mentioned: mentions ?? [],
    }).catch(
      onLimit((limit, quota) => fail(422, { [quota === 'commentsPerCard' ? 'card_id' : 'comment']: limit })),
    )
    if (created === 'no parent') throw fail(422, { parent_comment_id: 'not_found' })
    return created && { comment: created }
  },
})
