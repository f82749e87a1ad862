import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'
import { payloadOf } from '../changes.ts'
import { arranged, orderInProject, writeOrder } from '../ordering.ts'
import { readTag, type Tag } from './tag.ts'

interface NewTag {
  name: string
  color?: string | null
  icon?: string | null
  position?: number | null
}

/** Creates a tag at a position of the project's list, by default at its end. */
export function createTag(
  db: Database,
  quotas: Quotas,
  { projectId, actorId }: { projectId: number; actorId: number },
  { position, ...wanted }: NewTag,
): Promise<Tag> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const order = await orderInProject(queries, 'tags', projectId)
    refuseGrowth(quotas, 'tagsPerProject', { before: order.length, after: order.length + 1 })
    const [inserted] = await sql<{ id: number }[]>`
      insert into tags (project_id, name, color, icon, created_by)
      values (${projectId}, ${wanted.name}, ${wanted.color ?? null}, ${wanted.icon ?? null}, ${actorId}) returning id`
    const id = inserted?.id as number
    if (typeof position === 'number')
      await writeOrder(queries, 'tags', projectId, arranged([...order, id], [{ id, position }]))
    const made = (await readTag(queries, projectId, id)) as Tag
    const names = ['name', 'position', 'icon', 'color', 'is_active', 'created_by', 'created_at'] as const
    const data = { tag_id: id, ...payloadOf(made, names) }
    await recordEvent(queries, { boardId: null, actorId, kind: 'tag.created', data })
    return made
  })
}
