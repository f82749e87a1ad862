import type { Queries } from '#database/connect.ts'

/** Brings back the cards of groups, and their comments, that were deleted at exactly this moment: with the group or board. */
export async function restoreCards(
  { sql }: Queries,
  projectId: number,
  groupIds: number[],
  deletedAt: string,
): Promise<number> {
  const cards = await sql<{ id: number }[]>`
    update cards set deleted_at = null, updated_at = now()
    where project_id = ${projectId} and group_id = any(${groupIds}::bigint[]) and deleted_at = ${deletedAt}::timestamptz
    returning id`
  await sql`
    update comments set deleted_at = null
    where project_id = ${projectId} and card_id = any(${cards.map(({ id }) => id)}::bigint[])
      and deleted_at = ${deletedAt}::timestamptz`
  return cards.length
}
