import { operation } from '#api/operation.ts'
import { deleteGroup } from '#boards/group/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/delete',
  summary: 'Delete a group with its cards and their comments',
  audience: 'manage',
  on: { group: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The group was deleted.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input: { id }, caller, projectId, db, quotas }) {
    return (await deleteGroup(db, quotas, { projectId, id, actorId: caller.id })) && []
  },
})
