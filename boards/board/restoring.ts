import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { bringBackBoard } from '../trash/bring-back.ts'
import { type Board, readBoard } from './board.ts'

/** Restores a board with the groups, cards and comments that were deleted with it; undefined if the project has no such board. */
export function restoreBoard(
  db: Database,
  quotas: Quotas,
  action: Action,
): Promise<Board | 'not deleted' | undefined> {
  const { projectId, id } = action
  return change(db, projectId, async (queries) => {
    const outcome = await bringBackBoard(queries, quotas, action)
    if (outcome === 'missing') return undefined
    return outcome === 'not deleted' ? outcome : readBoard(queries, projectId, id)
  })
}
