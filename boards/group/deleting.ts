import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { forgetGroupSizes, sumOf, takeRoom } from '#quotas/room.ts'
import type { Action } from '../action.ts'
import { deleteComments } from '../comment/deleting.ts'

/** Deletes a group with its cards and their comments; undefined if the project has no such group. */
export function deleteGroup(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
): Promise<'deleted' | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [group] = await sql<{ board_id: number; title: string; bytes: number }[]>`
      select board_id, title, bytes from groups
      where project_id = ${projectId} and id = ${id} and deleted_at is null`
    if (!group) return undefined
    const cards = await sql<{ id: number; bytes: number }[]>`
      update cards set deleted_at = now(), updated_at = now()
      where project_id = ${projectId} and group_id = ${id} and deleted_at is null returning id, bytes`
    await sql`
      update groups set deleted_at = now(), deleted_by = ${actorId}, deleted_cards = ${cards.length}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    const cardIds = cards.map((card) => card.id)
    const commentBytes = -sumOf(await deleteComments(queries, projectId, cardIds))
    const { board_id: boardId, title } = group
    const data = { group_id: id, title, cards_count: cards.length }
    await recordEvent(queries, { boardId, actorId, kind: 'group.deleted', data })
    const bytes = -group.bytes - sumOf(cards)
    const growth = { cards: -cards.length, groups: -1, bytes, commentBytes }
    await takeRoom(queries, quotas, { projectId, boardId }, growth)
    await forgetGroupSizes(queries, [projectId])
    return 'deleted'
  })
}
