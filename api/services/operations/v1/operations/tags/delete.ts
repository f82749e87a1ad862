import { operation } from '#api/operation.ts'
import { deleteTag } from '#boards/tag/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/delete',
  summary: 'Delete a tag; cards that have it lose it',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The tag was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await inProjectOf({ db, caller, permission: 'work', kind: 'tags', id }, fail, ({ projectId }) =>
      deleteTag(db, { projectId, id, actorId: caller.id }),
    )
    return []
  },
})
