import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'

/** Hides every card of the tour, even if templates change it later, and returns how many. */
export function dismissTour(
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number },
): Promise<number> {
  return change(db, projectId, async (queries) => {
    const dismissed = await queries.sql<{ board_id: number; id: number }[]>`
      update cards set is_active = false, updated_at = now()
      where project_id = ${projectId} and tour_key is not null and is_active and deleted_at is null
      returning board_id, id`
    for (const [boardId, cards] of Map.groupBy(dismissed, ({ board_id }) => board_id)) {
      const data = { card_ids: cards.map(({ id }) => id).sort((a, b) => a - b) }
      await recordEvent(queries, { boardId, actorId, kind: 'cards.dismissed', data })
    }
    return dismissed.length
  })
}
