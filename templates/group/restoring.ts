import type { Group } from '#boards/group/group.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { onTakenIdentifier } from '../card/card.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readTemplateGroup } from './group.ts'

/**
 * Restores a deleted group of a template at its position, with the cards that were deleted with it. Undefined if there is no such
 * group, it was deleted more than 30 days ago, or its template is deleted.
 */
export function restoreTemplateGroup(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
): Promise<Group | 'not deleted' | 'identifier taken' | undefined> {
  const restoring = db.transaction(async (queries) => {
    const { sql } = queries
    const board = await lockBoardOf(queries, 'master_groups', id)
    if (!board) return undefined
    if (await readTemplateGroup(queries, id)) return 'not deleted'
    const size = await templateSize(queries, board.id)
    const cards = await sql<{ id: number }[]>`
      update master_cards c set deleted_at = null from master_groups g
      where g.id = ${id} and c.group_id = g.id and c.deleted_at = g.deleted_at and g.deleted_at > kept_since() returning c.id`
    const groups = await sql`
      update master_groups set deleted_at = null where id = ${id} and deleted_at > kept_since() returning id`
    if (groups.length === 0) return undefined
    await keepRevisions(queries, board.id, actorId, { groupIds: [id], cardIds: cards.map((card) => card.id) })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateGroup(queries, id)
  })
  return restoring.catch(onTakenIdentifier)
}
