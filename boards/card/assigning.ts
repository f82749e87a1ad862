import type { Queries } from '#database/connect.ts'

/** The fields of a card that name a person or a tag of its project. */
export type Assigned = { owner_id?: number | null; tag_id?: number | null }

export type Invalid = { owner_id?: 'not_found'; tag_id?: 'not_found' | 'inactive' }

/** What is wrong with the fields: a person who is no member of the project, a tag that it does not have or no longer uses. */
export async function invalidAssignments(
  { sql }: Queries,
  projectId: number,
  { owner_id: ownerId = null, tag_id: tagId = null }: Assigned,
): Promise<Invalid> {
  if (ownerId === null && tagId === null) return {}
  const [valid] = await sql<{ owner: boolean; tag_is_active: boolean | null }[]>`
    select
      ${ownerId}::bigint is null or exists (
        select from memberships where project_id = ${projectId} and user_id = ${ownerId}) as owner,
      (select is_active from tags where project_id = ${projectId} and id = ${tagId} and deleted_at is null) as tag_is_active`
  const isTagActive = tagId === null || valid?.tag_is_active
  return {
    ...(!valid?.owner && { owner_id: 'not_found' }),
    ...(!isTagActive && { tag_id: isTagActive === false ? 'inactive' : 'not_found' }),
  }
}
