import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { duplicateTemplate } from '#templates/template/duplicating.ts'
import { wholeTemplate } from '#templates/template/template.ts'
import { optionalTitle } from '../../operations/fields.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/duplicate',
  summary:
    'Create a template with the groups and cards of another; no project has it before its first rollout',
  audience: 'superadmin',
  on: { template: 'id' },
  input: { id: integer(), title: optionalTitle },
  success: 201,
  message: 'The template was duplicated.',
  output: record({ board: wholeTemplate }),
  failures: { 400: limitReached, 404: noMasterBoard },
  writes: true,
  async handle({ input: { id, title }, caller, db, quotas, fail }) {
    const action = { id, actorId: caller.id }
    const creating = duplicateTemplate(db, quotas, action, { title: title ?? null })
    const board = await creating.catch(onLimit((limit) => fail(400, ...limit)))
    if (!board) throw fail(404, 'master_board_not_found')
    return { board }
  },
})
