import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { changeBoard } from '#boards/board/changing.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  icon,
  optionalTitle,
} from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/update',
  summary: 'Change a board or its position in the list',
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
    done_closes_cards: optional(flag()),
  },
  success: 200,
  message: 'The board was updated.',
  output: record({ board }),
  failures: {
    422: { ...limitOn('title', 'icon', 'color'), description: { ...badDescription, ...limitReached } },
  },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeBoard(db, quotas, { projectId, id, actorId: caller.id }, wanted)
    const board = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    return board && { board }
  },
})
