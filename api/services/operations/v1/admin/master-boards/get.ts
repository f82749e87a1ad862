import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { readWholeTemplate, wholeTemplate } from '#templates/template/template.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/get',
  summary: 'A template with its groups and cards',
  audience: 'superadmin',
  on: { template: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template.',
  output: record({ board: wholeTemplate }),
  failures: { 404: noMasterBoard },
  async handle({ input: { id }, db, fail }) {
    const board = await readWholeTemplate(db, id)
    if (!board) throw fail(404, 'master_board_not_found')
    return { board }
  },
})
