import { operation } from '#api/operation.ts'
import { deleteComment } from '#boards/comment/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/delete',
  summary: 'Delete a comment with its replies; members delete their own, admins any',
  audience: 'work',
  on: { comment: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The comment was deleted.',
  output: nothing,
  failures: { 403: { not_your_comment: 'Members can delete only their own comments.' } },
  writes: true,
  async handle({ input: { id }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const outcome = await deleteComment(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    if (outcome === 'not own') throw fail(403, 'not_your_comment')
    return outcome && []
  },
})
