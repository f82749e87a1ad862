import { noMasterGroup } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { type Group, group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import { assignments } from '#database/assignments.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { refuseLargerTemplate, templateSize } from '#templates/size.ts'
import { badDescription, cleaned, description, optionalTitle } from '../../operations/fields.ts'
import { readMasterGroup } from './master-group.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/update',
  summary: 'Change a group of a master board; its copies change with the next sync',
  audience: 'superadmin',
  input: {
    id: integer(),
    title: optionalTitle,
    description,
  },
  success: 200,
  message: 'The master group was updated.',
  output: record({ group }),
  failures: {
    404: noMasterGroup,
    422: { ...limitOn('title'), description: { ...badDescription, ...limitReached } },
  },
  v1Text: { group: 'whole' },
  writes: true,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const update = db.transaction(async (queries) => {
      const { sql } = queries
      const board = await lockBoardOf(queries, 'master_groups', id)
      const before = board && (await readMasterGroup(queries, id))
      if (!before) throw fail(404, 'master_group_not_found')
      const changes = changesOf(before, wanted, { kept: ['title'] })
      if (isEmpty(changes)) return before
      const size = await templateSize(queries, board.id)
      await sql`update master_groups set ${assignments(queries, changes.values)} where id = ${id}`
      await keepRevisions(queries, board.id, caller.id, { groupIds: [id] })
      await refuseLargerTemplate(queries, quotas, board.id, size)
      return (await readMasterGroup(queries, id)) as Group
    })
    return { group: await update.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit }))) }
  },
})
