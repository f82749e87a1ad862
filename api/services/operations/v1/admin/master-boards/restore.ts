import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { restoreTemplate } from '#templates/template/restoring.ts'
import { auditedTemplate, template } from '#templates/template/template.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/restore',
  summary: 'Restore a deleted template with its groups and cards; its copies in projects follow it again',
  audience: 'superadmin',
  on: { template: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template was restored.',
  output: record({ board: template }),
  failures: {
    400: {
      ...limitReached,
      master_board_not_deleted: 'This template is not deleted.',
      identifier_taken: 'Another template card now has this unique identifier; change that card first.',
    },
    404: { master_board_not_found: 'There is no deleted template with this id.' },
  },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id }, caller, db, quotas, fail, audit }) => {
      const restoring = restoreTemplate(db, quotas, { id, actorId: caller.id })
      const board = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
      if (!board) throw fail(404, 'master_board_not_found')
      if (board === 'not deleted') throw fail(400, 'master_board_not_deleted')
      if (board === 'identifier taken') throw fail(400, 'identifier_taken')
      await audit({ kind: 'template.restored', ...(await auditedTemplate(db, id)) })
      return { board }
    }),
})
