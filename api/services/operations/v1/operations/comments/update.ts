import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { changeComment } from '#boards/comment/writing.ts'
import { mentioned } from '#boards/mentioning.ts'
import { integer, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/update',
  summary: 'Change the text of your own comment',
  audience: 'work',
  on: { comment: 'id' },
  input: { id: integer(), comment: text(), mentions: mentioned },
  success: 200,
  message: 'The comment was updated.',
  output: record({ comment }),
  failures: {
    403: { not_your_comment: 'Only the author can edit a comment.' },
    422: { comment: limitReached },
  },
  writes: true,
  async handle({ input: { id, comment, mentions }, caller, projectId, db, quotas, fail }) {
    const changing = changeComment(
      db,
      quotas,
      { projectId, id, actorId: caller.id },
      comment,
      mentions ?? undefined,
    )
    const changed = await changing.catch(onLimit((limit) => fail(422, { comment: limit })))
    if (changed === 'not own') throw fail(403, 'not_your_comment')
    return changed && { comment: changed }
  },
})
