import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'

/** Takes every card of a project away from a person who leaves it. */
export async function unassignCards(
  queries: Queries,
  { projectId, userId, actorId }: { projectId: number; userId: number; actorId: number | null },
): Promise<number> {
  const changes = await changesOfMany(queries, [projectId])
  const cards = await queries.sql<{ id: number; board_id: number; is_deleted: boolean }[]>`
    update cards set owner_id = null, updated_at = now()
    where project_id = ${projectId} and owner_id = ${userId}
    returning id, board_id, deleted_at is not null as is_deleted`
  // Deleted cards are in no view; restoring one sends it as it is then.
  const shown = cards.filter(({ is_deleted: isDeleted }) => !isDeleted)
  await recordEvents(
    changes,
    shown.map(({ id, board_id: boardId }) => ({
      projectId,
      boardId,
      cardId: id,
      actorId,
      kind: 'card.updated' as const,
      data: { changes: { owner_id: { from: userId, to: null } } },
    })),
  )
  return shown.length
}
