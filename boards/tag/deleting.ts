import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Action } from '../action.ts'

/** Deletes a tag and removes it from its cards, which it remembers; undefined if the project has no such tag. */
export function deleteTag(db: Database, { projectId, id, actorId }: Action): Promise<'deleted' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [tag] = await sql<{ name: string }[]>`
      select name from tags where project_id = ${projectId} and id = ${id} and deleted_at is null`
    if (!tag) return undefined
    await sql`
      with freed as (
        update cards set tag_id = null where project_id = ${projectId} and tag_id = ${id} returning id
      )
      update tags set deleted_at = now(), deleted_by = ${actorId}, updated_at = now(), removed_from = array(select id from freed)
      where project_id = ${projectId} and id = ${id}`
    const data = { tag_id: id, name: tag.name }
    await recordEvent(queries, { boardId: null, actorId, kind: 'tag.deleted', data })
    return 'deleted'
  })
}
