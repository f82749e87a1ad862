import type { Card } from '#boards/card/card.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf, writeMasterOrder } from '../masters.ts'
import type { Ranked } from '../ranks.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readTemplateCard } from './card.ts'

/**
 * Moves a template's card to a position in its group or another one of its template, by default to the end. Undefined if there is
 * no such card.
 */
export function moveTemplateCard(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  wanted: { groupId: number | null; position: number | null },
): Promise<Card | 'no group' | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const board = await lockBoardOf(queries, 'master_cards', id)
    const before = board && (await readTemplateCard(queries, id))
    if (!before) return undefined
    const groupId = wanted.groupId ?? (before.group_id as number)
    const [group] = await sql`
      select from master_groups where id = ${groupId} and board_id = ${board.id} and deleted_at is null`
    if (!group) return 'no group'
    const others = await sql<{ id: number; rank: number }[]>`
      select id, rank from master_cards where group_id = ${groupId} and id <> ${id} and deleted_at is null order by rank`
    const position = Math.min(Math.max(wanted.position ?? others.length + 1, 1), others.length + 1)
    if (groupId === before.group_id && position === before.position) return before
    const size = await templateSize(queries, board.id)
    const [end] = await sql<{ rank: number }[]>`select list_end() as rank`
    await sql`update master_cards set group_id = ${groupId}, rank = ${end?.rank as number} where id = ${id}`
    const order = (others as Ranked[]).toSpliced(position - 1, 0, { id, rank: undefined })
    const moved = await writeMasterOrder(queries, { boardId: board.id, groupId }, order)
    await keepRevisions(queries, board.id, actorId, { cardIds: moved })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateCard(queries, id)
  })
}
