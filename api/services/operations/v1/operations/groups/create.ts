import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { createGroup } from '#boards/group/creating.ts'
import { group } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  groupType,
  icon,
  title,
} from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/create',
  summary: 'Create a group at the end of a board',
  audience: 'manage',
  on: { board: 'board_id' },
  input: { board_id: integer(), title, description, type: groupType, color, icon },
  success: 201,
  message: 'The group was created.',
  output: record({ group }),
  failures: {
    422: {
      ...limitOn('board_id', 'title', 'type', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input, caller, projectId, db, quotas, readDescription, fail }) {
    const { board_id: boardId, ...wanted } = await cleaned(input, { readDescription, fail })
    const group = await createGroup(db, quotas, { projectId, boardId, actorId: caller.id }, wanted).catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'board_id']: limit }),
      ),
    )
    return group && { group }
  },
})
