import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { changeGroup } from '#boards/group/changing.ts'
import { group } from '#boards/group/group.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  groupType,
  icon,
  optionalTitle,
} from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/update',
  summary: 'Change a group or its position on the board',
  audience: 'work',
  on: { group: 'id' },
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    type: groupType,
    color,
    icon,
    position: optional(integer()),
    is_collapsed: optional(flag()),
  },
  success: 200,
  message: 'The group was updated.',
  output: record({ group }),
  failures: {
    422: {
      ...limitOn('title', 'type', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
      position: { archived: 'An archived group has no position.' },
    },
  },
  v1Text: { group: 'whole' },
  bodies: { 403: 'error, message, data' },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeGroup(db, quotas, { projectId, id, actorId: caller.id }, wanted)
    const group = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (group === 'archived') throw fail(422, { position: 'archived' })
    return group && { group }
  },
})
