import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { board } from '#boards/board/board.ts'
import { createBoard } from '#boards/board/creating.ts'
import { record } from '#contract/schema.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  icon,
  title,
  toolKey,
} from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/create',
  summary: 'Create an empty board at the end of the list',
  audience: 'manage',
  on: 'project',
  input: { title, description, tool_key: toolKey, icon, color },
  success: 201,
  message: 'The board was created.',
  output: record({ board }),
  failures: {
    422: {
      ...limitOn('title', 'icon', 'color'),
      description: { ...badDescription, ...limitReached },
      tool_key: { ...notFound, ...limitReached },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(input, { readDescription, fail })
    const created = await createBoard(db, quotas, { projectId, actorId: caller.id }, wanted).catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'title']: limit }),
      ),
    )
    if (created === 'no tool') throw fail(422, { tool_key: 'not_found' })
    return { board: created }
  },
})
