import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { changeComment } from '#boards/comment/writing.ts'
import { integer, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/update',
  summary: 'Change the text of an own comment',
  audience: 'work',
  on: { comment: 'id' },
  input: { id: integer(), comment: text() },
  success: 200,
  message: 'The comment was updated.',
  output: record({ comment }),
  failures: [403, 422],
  writes: true,
  async handle({ input: { id, comment }, caller, projectId, db, quotas, fail }) {
    const changing = changeComment(db, quotas, { projectId, id, actorId: caller.id }, comment)
    const changed = await changing.catch(refusedOn(fail, 'comment'))
    if (changed === 'not own') throw fail(403, 'Only its author can change a comment.')
    return changed && { comment: changed }
  },
})
