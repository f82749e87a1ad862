import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { customizedTemplate, readCustomizedTemplate } from '#fleet/customized-fields.ts'

export default operation({
  path: '/services/operations/v1/admin/customized/get',
  summary: "Which fields of a template's cards projects have customized, and how many projects",
  about: 'The numbers follow the changes of projects within seconds.',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: { board_id: integer({ about: 'The id of the template.' }) },
  fromReplica: true,
  success: 200,
  message: 'The customized fields.',
  output: record({ customized: customizedTemplate }),
  failures: { 404: noMasterBoard },
  async handle({ input: { board_id: boardId }, db, fail }) {
    const found = await readCustomizedTemplate(db, boardId)
    if (!found) throw fail(404, 'master_board_not_found')
    return { customized: found }
  },
})
