import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { changeBoard } from '#boards/board/changing.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { cleaned, color, description, icon, optionalTitle } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/update',
  summary: 'Change a board, or move it to another place of the list',
  audience: 'manage',
  on: { board: 'id' },
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
  failures: [422],
  writes: true,
  async handle({ input: { id, ...fields }, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeBoard(db, quotas, { projectId, id, actorId: caller.id }, wanted)
    const board = await changing.catch(refusedOn(fail, longestField(wanted)))
    return board && { board }
  },
})
