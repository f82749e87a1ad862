import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { restoreComment } from '#boards/comment/restoring.ts'
import { integer, record } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/restore',
  summary: 'Bring a deleted comment back with the replies that went with it: members their own, admins any',
  audience: 'work',
  on: { 'deleted comment': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The comment was restored.',
  output: record({ comment }),
  failures: [400, 403],
  writes: true,
  async handle({ input: { id }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const restoring = restoreComment(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    const restored = await restoring.catch(refusedByState(fail))
    if (restored === 'not deleted') throw fail(400, 'This comment is not deleted.')
    if (restored === 'not own') throw fail(403, 'Members restore only their own comments.')
    if (restored === 'parent deleted') throw fail(400, 'The comment that this one answers was deleted.')
    return restored && { comment: restored }
  },
})
