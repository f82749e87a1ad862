import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Action } from '../action.ts'
import { changesOf, isEmpty } from '../changes.ts'
import { orderInProject, placeIn, writeChanges } from '../ordering.ts'
import { readTag, type Tag } from './tag.ts'

type Changeable = 'name' | 'color' | 'icon' | 'position' | 'is_active'

type WantedTag = { [Name in Changeable]?: Tag[Name] | null | undefined }

/** Changes a tag's fields or its position in the project's list; undefined if the project has no such tag. */
export function changeTag(
  db: Database,
  { projectId, id, actorId }: Action,
  wanted: WantedTag,
): Promise<Tag | undefined> {
  return change(db, projectId, async (queries) => {
    const order = await orderInProject(queries, 'tags', projectId)
    const before = await readTag(queries, projectId, id)
    if (!before) return undefined
    const changes = changesOf(
      before,
      { ...wanted, position: placeIn(order, wanted.position) },
      { kept: ['name', 'is_active'] },
    )
    if (isEmpty(changes)) return before
    if (!(await writeChanges(queries, { list: 'tags', projectId, id, order }, changes))) return undefined
    const data = { tag_id: id, ...changes.payload }
    await recordEvent(queries, { boardId: null, actorId, kind: 'tag.updated', data })
    return readTag(queries, projectId, id)
  })
}
