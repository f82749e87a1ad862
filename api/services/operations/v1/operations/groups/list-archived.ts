import { operation } from '#api/operation.ts'
import { archivedGroup, listArchivedGroups } from '#boards/group/archiving.ts'
import { integer, list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/list-archived',
  summary: 'List the archived groups of a board, with how many cards each has',
  audience: 'read',
  on: { board: 'board_id' },
  input: { board_id: integer() },
  success: 200,
  message: 'The archived groups.',
  output: record({ groups: list(archivedGroup) }),
  failures: {},
  async handle({ input: { board_id: boardId }, projectId, db }) {
    const groups = await listArchivedGroups(db, projectId, boardId)
    return groups && { groups }
  },
})
