import { audited } from '#api/audited.ts'
import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { deleteTemplate } from '#templates/template/deleting.ts'
import { auditedTemplate } from '#templates/template/template.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/delete',
  summary: 'Delete a template with its groups and cards; projects keep their copies as ordinary boards',
  audience: 'superadmin',
  on: { template: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template was deleted.',
  output: nothing,
  failures: { 404: noMasterBoard },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id }, caller, db, fail, audit }) => {
      const outcome = await deleteTemplate(db, { id, actorId: caller.id })
      if (!outcome) throw fail(404, 'master_board_not_found')
      await audit({ kind: 'template.deleted', ...(await auditedTemplate(db, id)) })
      return []
    }),
})
