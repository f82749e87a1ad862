import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { type Group, group, orderOnBoard, readGroup } from '#boards/group/group.ts'
import { placeIn, writeChanges } from '#boards/ordering.ts'
import { flag, integer, optional, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { bytesOf, takeRoom } from '#quotas/room.ts'
import { cleaned, color, description, icon, optionalTitle } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/update',
  summary: 'Change a group, or move it to another place of its board',
  audience: 'work',
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    type: optional(text({ max: 50 })),
    color,
    icon,
    position: optional(integer()),
    is_collapsed: optional(flag()),
  },
  success: 200,
  message: 'The group was updated.',
  output: record({ group }),
  failures: [403, 404, 422],
  v1Text: { group: 'whole' },
  bodies: { 403: 'error, message, data' },
  writes: true,
  async handle({ input: { id, position, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const updated = await inProjectOf(
      { db, caller, permission: 'work', kind: 'groups', id },
      fail,
      ({ projectId }) =>
        change(db, projectId, async (queries) => {
          const before = await readGroup(queries, projectId, id)
          if (!before) return undefined
          const order = await orderOnBoard(queries, projectId, before.board_id)
          const changes = changesOf(
            before,
            { ...wanted, position: placeIn(order, position) },
            { kept: ['title', 'is_collapsed'] },
          )
          if (isEmpty(changes)) return before
          const listed = { list: 'groups', projectId, id, order } as const
          const bytes = await bytesOf(queries, 'groups', projectId, id)
          if (!(await writeChanges(queries, listed, changes))) return undefined
          await recordEvent(queries, {
            boardId: before.board_id,
            actorId: caller.id,
            kind: 'group.updated',
            data: { group_id: id, ...changes.told },
          })
          const grown = (await bytesOf(queries, 'groups', projectId, id)) - bytes
          if (grown !== 0)
            await takeRoom(queries, quotas, { projectId, boardId: before.board_id }, { bytes: grown })
          return (await readGroup(queries, projectId, id)) as Group
        }),
    ).catch(refusedOn(fail, longestField(wanted)))
    return { group: updated }
  },
})
