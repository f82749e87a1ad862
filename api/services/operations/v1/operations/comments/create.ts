import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { createComment } from '#boards/comment/writing.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/create',
  summary: 'Comment on a card, or reply to a comment',
  audience: 'work',
  input: { card_id: integer(), comment: text(), parent_comment_id: optional(integer()) },
  success: 201,
  message: 'The comment was created.',
  output: record({ comment }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input, caller, db, quotas, fail }) {
    const { card_id: id, comment, parent_comment_id: parentId = null } = input
    const question = { db, caller, permission: 'work', kind: 'cards', id } as const
    const created = await inProjectOf(question, fail, ({ projectId }) =>
      createComment(db, quotas, { projectId, cardId: id, actorId: caller.id }, { comment, parentId }),
    ).catch(refusedOn(fail, (quota) => (quota === 'commentsPerCard' ? 'card_id' : 'comment')))
    if (created === 'no parent') throw fail(422, invalid('parent_comment_id'))
    return { comment: created }
  },
})
