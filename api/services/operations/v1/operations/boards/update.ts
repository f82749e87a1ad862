import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { board, readBoard } from '#boards/board/board.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { orderInProject, placeIn, writeChanges } from '#boards/ordering.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { bytesOf, takeRoom } from '#quotas/room.ts'
import { cleaned, color, description, icon, optionalTitle } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/update',
  summary: 'Change a board, or move it to another place of the list',
  audience: 'manage',
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    icon,
    color,
    position: optional(integer()),
    is_active: optional(flag()),
  },
  success: 200,
  message: 'The board was updated.',
  output: record({ board }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { id, position, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const updated = await inProjectOf(
      { db, caller, permission: 'manage', kind: 'boards', id },
      fail,
      ({ projectId }) =>
        change(db, projectId, async (queries) => {
          const order = await orderInProject(queries, 'boards', projectId)
          const before = await readBoard(queries, projectId, id)
          if (!before) return undefined
          const changes = changesOf(
            before,
            { ...wanted, position: placeIn(order, position) },
            { kept: ['title', 'is_active'] },
          )
          if (isEmpty(changes)) return before
          const listed = { list: 'boards', projectId, id, order } as const
          const bytes = await bytesOf(queries, 'boards', projectId, id)
          if (!(await writeChanges(queries, listed, changes))) return undefined
          // Another place of this board is another place of others too.
          const boardId = 'position' in changes.values ? null : id
          const data = { board_id: id, ...changes.told }
          await recordEvent(queries, { boardId, actorId: caller.id, kind: 'board.updated', data })
          const grown = (await bytesOf(queries, 'boards', projectId, id)) - bytes
          if (grown !== 0) await takeRoom(queries, quotas, { projectId, boardId: id }, { bytes: grown })
          return readBoard(queries, projectId, id)
        }),
    ).catch(refusedOn(fail, longestField(wanted)))
    return { board: updated }
  },
})
