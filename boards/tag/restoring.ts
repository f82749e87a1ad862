import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { payloadOf } from '../changes.ts'
import { arranged, listEnds, orderInProject, writeOrder } from '../ordering.ts'
import { readTag, type Tag } from './tag.ts'

/**
 * Restores a tag at its old place and on the cards that had it, except cards that have another tag by now. Undefined if the project has
 * no such tag.
 */
export function restoreTag(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
): Promise<Tag | 'not deleted' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [found] = await sql<{ is_deleted: boolean; place: number }[]>`
      select t.deleted_at is not null as is_deleted,
        (select 1 + count(*) from tags before
          where before.project_id = ${projectId} and before.deleted_at is null and before.rank < t.rank) as place
      from tags t where t.project_id = ${projectId} and t.id = ${id} and coalesce(t.deleted_at > kept_since(), true)`
    if (!found) return undefined
    if (!found.is_deleted) return 'not deleted'
    const order = await orderInProject(queries, 'tags', projectId)
    refuseGrowth(quotas, 'tagsPerProject', { before: order.length, after: order.length + 1 })
    // Its old rank may have been given to another tag.
    const [end] = await listEnds(queries, 1)
    await sql`
      update tags set deleted_at = null, deleted_by = null, updated_at = now(), rank = ${end as number}
      where project_id = ${projectId} and id = ${id}`
    if (found.place <= order.length)
      await writeOrder(queries, 'tags', projectId, arranged([...order, id], [{ id, position: found.place }]))
    await sql`
      update cards set tag_id = ${id} where project_id = ${projectId} and tag_id is null and id = any(array(
        select unnest(removed_from) from tags where project_id = ${projectId} and id = ${id}))`
    await sql`update tags set removed_from = null where project_id = ${projectId} and id = ${id}`
    const tag = (await readTag(queries, projectId, id)) as Tag
    const names = ['name', 'position', 'icon', 'color', 'is_active', 'created_by', 'created_at'] as const
    const data = { tag_id: id, ...payloadOf(tag, names) }
    await recordEvent(queries, { boardId: null, actorId, kind: 'tag.restored', data })
    return tag
  })
}
