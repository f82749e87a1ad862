import { operation } from '#api/operation.ts'
import { unarchiveGroup } from '#boards/group/archiving.ts'
import { group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/unarchive',
  summary: 'Put an archived group back on its board, with its cards',
  audience: 'manage',
  on: { group: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The group was unarchived.',
  output: record({ group }),
  failures: {},
  writes: true,
  async handle({ input: { id }, caller, projectId, db }) {
    const group = await unarchiveGroup(db, { projectId, id, actorId: caller.id })
    return group && { group }
  },
})
