import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { restoreComment } from '#boards/comment/restoring.ts'
import { integer, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/restore',
  summary: 'Bring a deleted comment back with the replies that went with it: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The comment was restored.',
  output: record({ comment }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'comments', id, isDeleted: true } as const
    const restored = await inProjectOf(question, fail, ({ projectId, role }) => {
      const onlyOwn = !may(caller, role, 'delete any card')
      return restoreComment(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    }).catch(refusedByState(fail))
    if (restored === 'not deleted') throw fail(400, 'This comment is not deleted.')
    if (restored === 'not own') throw fail(403, 'Members restore only their own comments.')
    if (restored === 'parent deleted') throw fail(400, 'The comment that this one answers was deleted.')
    return { comment: restored }
  },
})
