import { operation } from '#api/operation.ts'
import { deleteTag } from '#boards/tag/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/delete',
  summary: 'Delete a tag and remove it from all cards',
  audience: 'work',
  on: { tag: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The tag was deleted.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input: { id }, caller, projectId, db }) {
    return (await deleteTag(db, { projectId, id, actorId: caller.id })) && []
  },
})
