import type { Queries } from '#database/connect.ts'

/** The fields of a card that name a person or a tag of its project. */
export type Assignment = 'owner_id' | 'tag_id'

export type Assigned = { [Name in Assignment]?: number | null }

/** The fields whose person is no member of the project, or whose tag it does not have. */
export async function invalidAssignments(
  { sql }: Queries,
  projectId: number,
  { owner_id: ownerId = null, tag_id: tagId = null }: Assigned,
): Promise<Assignment[]> {
  if (ownerId === null && tagId === null) return []
  const [valid] = await sql<{ owner: boolean; tag: boolean }[]>`
    select
      ${ownerId}::bigint is null or exists (
        select from memberships where project_id = ${projectId} and user_id = ${ownerId}) as owner,
      ${tagId}::bigint is null or exists (
        select from tags where project_id = ${projectId} and id = ${tagId} and deleted_at is null) as tag`
  return [...(valid?.owner ? [] : (['owner_id'] as const)), ...(valid?.tag ? [] : (['tag_id'] as const))]
}
