import type { Card } from '#boards/card/card.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { onTakenIdentifier, readTemplateCard } from './card.ts'

/**
 * Restores a deleted card of a template at its position. Undefined if there is no such card, it was deleted more than 30 days ago, or
 * its template is deleted.
 */
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
    const [card] = await queries.sql<{ is_group_deleted: boolean }[]>`
      select g.deleted_at is not null as is_group_deleted from master_cards c join master_groups g on g.id = c.group_id
      where c.id = ${id} and c.deleted_at > kept_since()`
    if (!card) return undefined
    if (card.is_group_deleted) return 'group deleted'
    await queries.sql`update master_cards set deleted_at = null where id = ${id}`
    await keepRevisions(queries, board.id, actorId, { cardIds: [id] })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateCard(queries, id)
  })
  return restoring.catch(onTakenIdentifier)
}
