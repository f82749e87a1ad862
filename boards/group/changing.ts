import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { bytesOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { changesOf, isEmpty } from '../changes.ts'
import { placeIn, writeChanges } from '../ordering.ts'
import { type Group, readGroup } from './group.ts'
import { orderOnBoard } from './ordering.ts'

type Changeable = 'title' | 'description' | 'type' | 'color' | 'icon' | 'position' | 'is_collapsed'

type WantedGroup = { [Name in Changeable]?: Group[Name] | null | undefined }

/** Changes a group's fields or its position on the board, which an archived one lacks; undefined if the project has no such group. */
export function changeGroup(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  wanted: WantedGroup,
): Promise<Group | 'archived' | undefined> {
  return change(db, projectId, async (queries) => {
    const before = await readGroup(queries, projectId, id)
    if (!before) return undefined
    if (!before.is_active && typeof wanted.position === 'number') return 'archived'
    const { board_id: boardId } = before
    const order = await orderOnBoard(queries, projectId, boardId)
    const changes = changesOf(
      before,
      { ...wanted, position: placeIn(order, wanted.position) },
      { kept: ['title', 'is_collapsed'] },
    )
    if (isEmpty(changes)) return before
    const bytes = await bytesOf(queries, 'groups', projectId, id)
    if (!(await writeChanges(queries, { list: 'groups', projectId, id, order }, changes))) return undefined
    const data = { group_id: id, ...changes.payload }
    await recordEvent(queries, { boardId, actorId, kind: 'group.updated', data })
    const grown = (await bytesOf(queries, 'groups', projectId, id)) - bytes
    if (grown !== 0) await takeRoom(queries, quotas, { projectId, boardId }, { bytes: grown })
    return readGroup(queries, projectId, id)
  })
}
