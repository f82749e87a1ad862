import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'

/** Takes every card of a project away from a person who leaves it. Returns the ids of the cards that are not deleted. */
export async function unassignCards(
  queries: Queries,
  { projectId, userId, actorId }: { projectId: number; userId: number; actorId: number | null },
): Promise<number[]> {
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
  return shown.map(({ id }) => id)
}

/** Gives a person back those of their cards that nobody else has been assigned to since. Returns how many. */
export async function reassignCards(
  queries: Queries,
  {
    projectId,
    userId,
    actorId,
    cardIds,
  }: { projectId: number; userId: number; actorId: number | null; cardIds: number[] },
): Promise<number> {
  const changes = await changesOfMany(queries, [projectId])
  const cards = await queries.sql<{ id: number; board_id: number }[]>`
    update cards set owner_id = ${userId}, updated_at = now()
    where project_id = ${projectId} and id = any(${cardIds}::bigint[]) and owner_id is null and deleted_at is null
    returning id, board_id`
  await recordEvents(
    changes,
    cards.map(({ id, board_id: boardId }) => ({
      projectId,
      boardId,
      cardId: id,
      actorId,
      kind: 'card.updated' as const,
      data: { changes: { owner_id: { from: null, to: userId } }, is_undo: true },
    })),
  )
  return cards.length
}
