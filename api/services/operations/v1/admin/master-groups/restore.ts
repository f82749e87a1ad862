import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import { restoreTemplateGroup } from '#templates/group/restoring.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/restore',
  summary: 'Restore a deleted template group at its position, with the cards that were deleted with it',
  audience: 'superadmin',
  on: { 'template group': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template group was restored.',
  output: record({ group }),
  failures: {
    400: {
      ...limitReached,
      master_group_not_deleted: 'This template group is not deleted.',
      identifier_taken: 'Another template card now has this unique identifier; change that card first.',
    },
    404: { master_group_not_found: 'There is no deleted template group with this id.' },
  },
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const restoring = restoreTemplateGroup(db, quotas, { id, actorId: caller.id })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (!restored) throw fail(404, 'master_group_not_found')
    if (restored === 'not deleted') throw fail(400, 'master_group_not_deleted')
    if (restored === 'identifier taken') throw fail(400, 'identifier_taken')
    return { group: restored }
  },
})
