import type { Queries } from '#database/connect.ts'
import { forgetGroupSizes, sumOf } from '#quotas/room.ts'
import { restoreComments } from '../comment/restoring.ts'
import { compareAtNextRollout } from '../rollout.ts'

/** Restores and counts the cards and comments that were deleted together with their group or board, and so at exactly this time. */
export async function bringBackCards(
  queries: Queries,
  projectId: number,
  groupIds: number[],
  deletedAt: string,
): Promise<{ cards: number; bytes: number; commentBytes: number }> {
  const { sql } = queries
  const cards = await sql<{ id: number; bytes: number }[]>`
    update cards set deleted_at = null, deleted_by = null, updated_at = now()
    where project_id = ${projectId} and group_id = any(${groupIds}::bigint[]) and deleted_at = ${deletedAt}::timestamptz
    returning id, bytes`
  const cardIds = cards.map(({ id }) => id)
  const comments = await restoreComments(
    queries,
    projectId,
    cardIds.map((id) => ({ id, deleted_at: deletedAt })),
  )
  await forgetGroupSizes(queries, [projectId])
  await compareAtNextRollout(queries, projectId, { groupIds, cardIds })
  return { cards: cards.length, bytes: sumOf(cards), commentBytes: sumOf(comments) }
}
