import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { bytesOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { changesOf, isEmpty } from '../changes.ts'
import { orderInProject, placeIn, writeChanges } from '../ordering.ts'
import { type Board, readBoard } from './board.ts'

type Changeable = 'title' | 'description' | 'icon' | 'color' | 'position' | 'is_active' | 'done_closes_cards'

type WantedBoard = { [Name in Changeable]?: Board[Name] | null | undefined }

/** Changes a board's fields or its position in the project's list; undefined if the project has no such board. */
export function changeBoard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  wanted: WantedBoard,
): Promise<Board | undefined> {
  return change(db, projectId, async (queries) => {
    const order = await orderInProject(queries, 'boards', projectId)
    const before = await readBoard(queries, projectId, id)
    if (!before) return undefined
    const changes = changesOf(
      before,
      { ...wanted, position: placeIn(order, wanted.position) },
      { kept: ['title', 'is_active', 'done_closes_cards'] },
    )
    if (isEmpty(changes)) return before
    const bytes = await bytesOf(queries, 'boards', projectId, id)
    if (!(await writeChanges(queries, { list: 'boards', projectId, id, order }, changes))) return undefined
    // Moving this board also moves others.
    const boardId = 'position' in changes.values ? null : id
    const data = { board_id: id, ...changes.payload }
    await recordEvent(queries, { boardId, actorId, kind: 'board.updated', data })
    const grown = (await bytesOf(queries, 'boards', projectId, id)) - bytes
    if (grown !== 0) await takeRoom(queries, quotas, { projectId, boardId: id }, { bytes: grown })
    return readBoard(queries, projectId, id)
  })
}
