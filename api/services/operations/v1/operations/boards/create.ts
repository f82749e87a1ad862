import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { createBoard } from '#boards/board/creating.ts'
import { record } from '#contract/schema.ts'
import { cleaned, color, description, icon, invalid, title, toolKey } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/create',
  summary: 'Create an empty board at the end of the list',
  audience: 'manage',
  on: 'project',
  input: { title, description, tool_key: toolKey, icon, color },
  success: 201,
  message: 'The board was created.',
  output: record({ board }),
  failures: [422],
  writes: true,
  async handle({ input, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(input, { readDescription, fail })
    const created = await createBoard(db, quotas, { projectId, actorId: caller.id }, wanted).catch(
      refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'title')),
    )
    if (created === 'no tool') throw fail(422, invalid('tool_key'))
    return { board: created }
  },
})
