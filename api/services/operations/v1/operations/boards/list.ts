import { operation } from '#api/operation.ts'
import { boardInList } from '#boards/board/board.ts'
import { listBoards } from '#boards/board/listing.ts'
import { list, optional, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/list',
  summary: 'List the active boards that the project has access to, in order',
  audience: 'read',
  on: 'project',
  // Longer than any key, because a key of no tool is no mistake: it finds nothing.
  input: { tool_key: optional(text({ max: 1000 })) },
  fromQuery: ['tool_key'],
  success: 200,
  message: 'The boards of the project.',
  output: record({ boards: list(boardInList) }),
  failures: {},
  async handle({ input, projectId, db }) {
    return { boards: await listBoards(db, projectId, input.tool_key ?? null) }
  },
})
