import { noMasterGroup } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { deleteTemplateGroup } from '#templates/group/deleting.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/delete',
  summary:
    'Delete a group of a template with its cards; projects keep their copies as ordinary groups and cards',
  audience: 'superadmin',
  on: { 'template group': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template group was deleted.',
  output: nothing,
  failures: { 404: noMasterGroup },
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    const outcome = await deleteTemplateGroup(db, { id, actorId: caller.id })
    if (!outcome) throw fail(404, 'master_group_not_found')
    return []
  },
})
