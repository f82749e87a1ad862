import { noMasterGroup } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { group } from '#boards/group/group.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { changeTemplateGroup } from '#templates/group/changing.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  groupType,
  icon,
  optionalTitle,
} from '../../operations/fields.ts'

export default operation({
  path: '/services/operations/v1/admin/master-groups/update',
  summary: 'Change a group of a template; projects receive it with the next rollout',
  audience: 'superadmin',
  on: { 'template group': 'id' },
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    type: groupType,
    color,
    icon,
    is_collapsed: optional(flag()),
  },
  success: 200,
  message: 'The template group was updated.',
  output: record({ group }),
  failures: {
    404: noMasterGroup,
    422: {
      ...limitOn('title', 'type', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  v1Text: { group: 'whole' },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeTemplateGroup(db, quotas, { id, actorId: caller.id }, wanted)
    const group = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (!group) throw fail(404, 'master_group_not_found')
    return { group }
  },
})
