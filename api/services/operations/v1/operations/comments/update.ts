import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { comment } from '#boards/comment/comment.ts'
import { changeComment } from '#boards/comment/writing.ts'
import { integer, record, text } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/update',
  summary: 'Change the text of an own comment',
  audience: 'work',
  input: { id: integer(), comment: text() },
  success: 200,
  message: 'The comment was updated.',
  output: record({ comment }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { id, comment }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'comments', id } as const
    const changed = await inProjectOf(question, fail, ({ projectId }) =>
      changeComment(db, quotas, { projectId, id, actorId: caller.id }, comment),
    ).catch(refusedOn(fail, 'comment'))
    if (changed === 'not own') throw fail(403, 'Only its author can change a comment.')
    return { comment: changed }
  },
})
