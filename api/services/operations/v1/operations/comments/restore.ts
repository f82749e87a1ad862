import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { restoreComment } from '#boards/comment/restoring.ts'
import { integer, record } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/restore',
  summary:
    'Restore a deleted comment with the replies deleted with it; members restore their own, admins any',
  audience: 'work',
  on: { 'deleted comment': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The comment was restored.',
  output: record({ comment }),
  failures: {
    400: {
      ...limitReached,
      comment_not_deleted: 'This comment is not deleted.',
      parent_deleted: 'The comment that this replies to was deleted.',
    },
    403: { not_your_comment: 'Members can restore only their own comments.' },
  },
  writes: true,
  async handle({ input: { id }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const restoring = restoreComment(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (restored === 'not deleted') throw fail(400, 'comment_not_deleted')
    if (restored === 'not own') throw fail(403, 'not_your_comment')
    if (restored === 'parent deleted') throw fail(400, 'parent_deleted')
    return restored && { comment: restored }
  },
})
