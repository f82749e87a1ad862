import { operation } from '#api/operation.ts'
import { deleteGroup } from '#boards/group/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/delete',
  summary: 'Delete a group with its cards and their comments',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The group was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    await inProjectOf({ db, caller, permission: 'manage', kind: 'groups', id }, fail, ({ projectId }) =>
      deleteGroup(db, quotas, { projectId, id, actorId: caller.id }),
    )
    return []
  },
})
