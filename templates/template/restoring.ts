import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { onTakenIdentifier } from '../card/card.ts'
import { keepRevisions } from '../masters.ts'
import { refuseMoreTemplates } from '../size.ts'
import { readTemplate, type Template } from './template.ts'

/**
 * Restores a deleted template with the groups and cards that were deleted with it; its copies follow it again. Undefined if there is
 * no such template, or it was deleted more than 30 days ago.
 */
export function restoreTemplate(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
): Promise<Template | 'not deleted' | 'identifier taken' | undefined> {
  const restoring = db.transaction(async (queries) => {
    const { sql } = queries
    const [board] = await sql<{ platform_id: number; is_deleted: boolean; is_kept: boolean }[]>`
      select platform_id, deleted_at is not null as is_deleted, coalesce(deleted_at > kept_since(), false) as is_kept
      from master_boards where id = ${id} for no key update`
    if (board && !board.is_deleted) return 'not deleted'
    if (!board?.is_kept) return undefined
    const groups = await sql<{ id: number }[]>`
      update master_groups g set deleted_at = null from master_boards m
      where m.id = ${id} and g.board_id = m.id and g.deleted_at = m.deleted_at returning g.id`
    const cards = await sql<{ id: number }[]>`
      update master_cards c set deleted_at = null from master_boards m
      where m.id = ${id} and c.board_id = m.id and c.deleted_at = m.deleted_at returning c.id`
    await sql`update master_boards set deleted_at = null, recount_due = true where id = ${id}`
    await refuseMoreTemplates(queries, quotas, board.platform_id)
    await keepRevisions(queries, id, actorId, {
      board: true,
      groupIds: groups.map((group) => group.id),
      cardIds: cards.map((card) => card.id),
    })
    return readTemplate(queries, id)
  })
  return restoring.catch(onTakenIdentifier)
}
