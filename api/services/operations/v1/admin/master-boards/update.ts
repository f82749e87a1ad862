import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { assignments } from '#database/assignments.ts'
import { keepRevisions, lockMasterBoard } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { badDescription, cleaned, color, description, icon, optionalTitle } from '../../operations/fields.ts'
import { type MasterBoard, masterBoard, readMasterBoard } from './master-board.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/update',
  summary: 'Change a master board; its copies change with the next sync',
  audience: 'superadmin',
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    icon,
    color,
    is_active: optional(flag()),
  },
  success: 200,
  message: 'The master board was updated.',
  output: record({ board: masterBoard }),
  failures: {
    404: noMasterBoard,
    422: {
      ...limitOn('title', 'tool_key', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const update = db.transaction(async (queries) => {
      const { sql } = queries
      if (!(await lockMasterBoard(queries, id))) throw fail(404, 'master_board_not_found')
      const before = (await readMasterBoard(queries, id)) as MasterBoard
      const changes = changesOf(before, wanted, { kept: ['title', 'is_active'] })
      if (isEmpty(changes)) return before
      const size = await templateSize(queries, id)
      await sql`update master_boards set ${assignments(queries, changes.values)} where id = ${id}`
      await keepRevisions(queries, id, caller.id, { board: true })
      await refuseLargerTemplate(queries, quotas, id, size)
      return (await readMasterBoard(queries, id)) as MasterBoard
    })
    return { board: await update.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit }))) }
  },
})
