import { operation } from '#api/operation.ts'
import { boardInList } from '#boards/board/board.ts'
import { listBoards } from '#boards/board/listing.ts'
import { list, optional, record, text, timestampWithOffset } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/list',
  summary: 'List the active boards that the project has access to, in order',
  audience: 'read',
  on: 'project',
  input: {
    // Longer than any key: an unknown key is allowed and finds nothing.
    tool_key: optional(text({ max: 1000 })),
    today: optional(timestampWithOffset()),
  },
  fromQuery: ['tool_key'],
  success: 200,
  message: 'The boards of the project.',
  output: record({ boards: list(boardInList) }),
  failures: {},
  async handle({ input: { tool_key: toolKey = null, today }, projectId, db }) {
    return { boards: await listBoards(db, projectId, { toolKey, today: today?.slice(0, 10) ?? null }) }
  },
})
