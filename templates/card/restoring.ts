import type { Card } from '#boards/card/card.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { onTakenIdentifier, readTemplateCard } from './card.ts'

/** Restores a deleted card of a template at its position; undefined if there is no such card or its template is deleted. */
export function restoreTemplateCard(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
): Promise<Card | 'not deleted' | 'group deleted' | 'identifier taken' | undefined> {
  const restoring = db.transaction(async (queries) => {
    const board = await lockBoardOf(queries, 'master_cards', id)
    if (!board) return undefined
    if (await readTemplateCard(queries, id)) return 'not deleted'
    const size = await templateSize(queries, board.id)
    const restored = await queries.sql`
      update master_cards c set deleted_at = null from master_groups g
      where c.id = ${id} and g.id = c.group_id and g.deleted_at is null returning c.id`
    if (restored.length === 0) return 'group deleted'
    await keepRevisions(queries, board.id, actorId, { cardIds: [id] })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateCard(queries, id)
  })
  return restoring.catch(onTakenIdentifier)
}
