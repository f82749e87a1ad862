import { operation } from '#api/operation.ts'
import { archiveGroup } from '#boards/group/archiving.ts'
import { group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/archive',
  summary: 'Archive a group: it leaves the board with its cards until it is unarchived',
  audience: 'manage',
  on: { group: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The group was archived.',
  output: record({ group }),
  failures: {},
  writes: true,
  async handle({ input: { id }, caller, projectId, db }) {
    const group = await archiveGroup(db, { projectId, id, actorId: caller.id })
    return group && { group }
  },
})
