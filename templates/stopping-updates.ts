import type { Action } from '#boards/action.ts'
import { readLocation } from '#boards/card/card.ts'
import { compareAtNextRollout } from '#boards/rollout.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { readProvenance } from './copies.ts'

/** Stops rollouts from changing a template card of a project, or lets them again; undefined if the project has no such card. */
export function setUpdates(
  db: Database,
  { projectId, id, actorId }: Action,
  takesUpdates: boolean,
): Promise<'set' | 'no master' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const location = await readLocation(queries, projectId, id)
    if (!location) return undefined
    if (!(await readProvenance(queries, projectId, id))) return 'no master'
    const changed = await sql`
      update cards set takes_updates = ${takesUpdates}
      where project_id = ${projectId} and id = ${id} and takes_updates <> ${takesUpdates} returning id`
    if (changed.length === 0) return 'set'
    if (takesUpdates) await compareAtNextRollout(queries, projectId, { cardIds: [id] })
    const kind = takesUpdates ? 'card.updates_taken' : 'card.updates_stopped'
    await recordEvent(queries, { boardId: location.board_id, cardId: id, actorId, kind, data: {} })
    return 'set'
  })
}
