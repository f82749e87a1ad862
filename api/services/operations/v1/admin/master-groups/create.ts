import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { group } from '#boards/group/group.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { createTemplateGroup } from '#templates/group/creating.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  groupType,
  icon,
  title,
} from '../../operations/fields.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/create',
  summary: 'Create a group at the end of a template',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    title,
    description,
    type: groupType,
    color,
    icon,
    is_collapsed: optional(flag()),
  },
  success: 201,
  message: 'The template group was created.',
  output: record({ group }),
  failures: {
    404: noMasterBoard,
    422: {
      ...limitOn('board_id', 'title', 'type', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const { board_id: boardId, ...wanted } = await cleaned(input, { readDescription, fail })
    const creating = createTemplateGroup(db, quotas, { boardId, actorId: caller.id }, wanted)
    const created = await creating.catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'board_id']: limit }),
      ),
    )
    if (!created) throw fail(404, 'master_board_not_found')
    return { group: created }
  },
})
