import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { bringBackGroup, bringBackParents, type Parent } from '../trash/bring-back.ts'
import { type Group, readGroup } from './group.ts'

type Outcome = { group: Group; restored_parents: Parent[] } | 'board deleted' | 'not deleted'

/** Restores a group with its cards and comments, and on request with its board; undefined if the project has no such group. */
export function restoreGroup(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { withParents }: { withParents: boolean },
): Promise<Outcome | undefined> {
  return change(db, projectId, async (queries) => {
    const boardId = withParents ? await boardOf(queries, projectId, id) : undefined
    const parents =
      boardId === undefined ? [] : await bringBackParents(queries, quotas, { projectId, actorId, boardId })
    const outcome = await bringBackGroup(queries, quotas, { projectId, id, actorId })
    if (outcome === 'missing') return undefined
    if (outcome === 'board deleted') return outcome
    // It may have been restored with its board.
    if (outcome === 'not deleted' && parents.length === 0) return outcome
    const group = await readGroup(queries, projectId, id)
    return group && { group, restored_parents: parents }
  })
}

async function boardOf({ sql }: Queries, projectId: number, id: number): Promise<number | undefined> {
  const [found] = await sql<{ board_id: number }[]>`
    select board_id from groups where project_id = ${projectId} and id = ${id}
      and coalesce(deleted_at > kept_since(), true)`
  return found?.board_id
}
