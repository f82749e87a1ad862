import { operation } from '#api/operation.ts'
import { boardInList } from '#boards/board/board.ts'
import { listBoards } from '#boards/board/listing.ts'
import { list, record } from '#contract/schema.ts'
import { toolKey } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/list',
  summary: 'List the active boards that the project has access to, in order',
  audience: 'read',
  on: 'project',
  input: { tool_key: toolKey },
  fromQuery: ['tool_key'],
  success: 200,
  message: 'The boards of the project.',
  output: record({ boards: list(boardInList) }),
  failures: {},
  async handle({ input, projectId, db }) {
    return { boards: await listBoards(db, projectId, input.tool_key ?? null) }
  },
})
