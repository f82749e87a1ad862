import { operation } from '#api/operation.ts'
import { wholeBoard } from '#boards/board/board.ts'
import { isCurrent, type Judged, judgedColumn } from '#boards/kept-boards.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/get',
  summary: 'Get a whole board: its groups with their cards, and the tags of the project',
  audience: 'read',
  on: { board: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The board.',
  output: record({ board: wholeBoard }),
  failures: {},
  v1Text: { board: 'whole' },
  // One statement reads the caller and whether the kept JSON of the board is still current.
  alongside: {
    columns: judgedColumn,
    types: { board_id: 'bigint', epoch: 'text', version: 'bigint', next_due: 'timestamptz' },
    values({ id }, { keptBoards }) {
      const boardId = Number.isSafeInteger(id) ? (id as number) : null
      const kept = boardId === null ? undefined : keptBoards.get(boardId)
      return { board_id: boardId, epoch: kept?.epoch, version: kept?.version, next_due: kept?.nextDue }
    },
  },
  async handle({ input: { id }, caller, http, projectId, keptBoards, readTogether, alongside }) {
    const kept = keptBoards.get(id)
    if (kept && projectId === caller.projectId && isCurrent(kept, alongside as Judged, http.arrivedAt))
      return kept.data
    // It is about as large as before.
    http.requireRoom(keptBoards.largeBytes(id))
    return (await keptBoards.refresh(readTogether(projectId), projectId, id, http.arrivedAt))?.data
  },
})
