import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { changeTemplate } from '#templates/template/changing.ts'
import { template } from '#templates/template/template.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  icon,
  optionalTitle,
} from '../../operations/fields.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/update',
  summary: 'Change a template; projects receive it with the next rollout',
  audience: 'superadmin',
  on: { template: 'id' },
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    icon,
    color,
    is_active: optional(flag()),
  },
  success: 200,
  message: 'The template was updated.',
  output: record({ board: template }),
  failures: {
    404: noMasterBoard,
    422: {
      ...limitOn('title', 'tool_key', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeTemplate(db, quotas, { id, actorId: caller.id }, wanted)
    const board = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (!board) throw fail(404, 'master_board_not_found')
    return { board }
  },
})
