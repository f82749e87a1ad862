import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { readRollUp, rollUp } from '#fleet/roll-up.ts'

export default operation({
  path: '/services/operations/v1/admin/roll-ups/get',
  summary: 'How far all projects are with each card of a template',
  about: 'The numbers follow the changes of projects within seconds.',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: { board_id: integer({ about: 'The id of the template.' }) },
  fromReplica: true,
  success: 200,
  message: 'The progress of the template.',
  output: record({ roll_up: rollUp }),
  failures: { 404: noMasterBoard },
  async handle({ input: { board_id: boardId }, db, fail }) {
    const found = await readRollUp(db, boardId)
    if (!found) throw fail(404, 'master_board_not_found')
    return { roll_up: found }
  },
})
