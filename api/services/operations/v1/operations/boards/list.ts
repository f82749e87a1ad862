import { operation } from '#api/operation.ts'
import { boardInList } from '#boards/board/board.ts'
import { listBoards } from '#boards/board/listing.ts'
import { list, optional, record, text } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/list',
  summary: "The project's active boards that it has access to, in their order",
  audience: 'read',
  input: { tool_key: optional(text()) },
  fromQuery: ['tool_key'],
  success: 200,
  message: 'The boards of the project.',
  output: record({ boards: list(boardInList) }),
  failures: [403, 422],
  async handle({ input, caller, db, fail }) {
    const projectId = currentProject(caller, 'read', fail)
    return { boards: await listBoards(db, projectId, input.tool_key ?? null) }
  },
})
