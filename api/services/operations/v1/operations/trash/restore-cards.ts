import type { Queries } from '#database/connect.ts'
import { forgetSync } from '#templates/copies.ts'

/** Brings back the cards of groups, and their comments, that were deleted at exactly this moment: with the group or board. */
export async function restoreCards(
  queries: Queries,
  projectId: number,
  groupIds: number[],
  deletedAt: string,
): Promise<number> {
  const { sql } = queries
  const cards = await sql<{ id: number }[]>`
    update cards set deleted_at = null, updated_at = now()
    where project_id = ${projectId} and group_id = any(${groupIds}::bigint[]) and deleted_at = ${deletedAt}::timestamptz
    returning id`
  const cardIds = cards.map(({ id }) => id)
  await sql`
    update comments set deleted_at = null
    where project_id = ${projectId} and card_id = any(${cardIds}::bigint[])
      and deleted_at = ${deletedAt}::timestamptz`
  await forgetSync(queries, projectId, { groupIds, cardIds })
  return cards.length
}
