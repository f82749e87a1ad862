import { operation } from '#api/operation.ts'
import { deleteComment } from '#boards/comment/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/delete',
  summary: 'Delete a comment with its replies: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The comment was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'comments', id } as const
    const outcome = await inProjectOf(question, fail, ({ projectId, role }) => {
      const onlyOwn = !may(caller, role, 'delete any card')
      return deleteComment(db, quotas, { projectId, id, actorId: caller.id }, { onlyOwn })
    })
    if (outcome === 'not own') throw fail(403, 'Members delete only their own comments.')
    return []
  },
})
