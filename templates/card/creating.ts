import type { Card } from '#boards/card/card.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { startPush } from '../starting.ts'
import { onTakenIdentifier, readTemplateCard } from './card.ts'

export interface NewTemplateCard {
  title: string
  description?: string | null
  short_description?: string | null
  unique_identifier?: string | null
  evaluation_check?: string | null
  needs_confirmation?: boolean | null
  tour_key?: string | null
  status?: string | null
  priority?: Card['priority'] | null
  is_active?: boolean | null
}

interface Created {
  card: Card
  /** The rollout that was started; null if none was wanted, or if the card or its template is inactive. */
  pushId: number | null
}

/** Creates a card at the end of a template's group, and on request starts its rollout. */
export function createTemplateCard(
  db: Database,
  quotas: Quotas,
  { groupId, actorId }: { groupId: number; actorId: number },
  wanted: NewTemplateCard,
  { rollOut }: { rollOut: boolean },
): Promise<Created | 'no group' | 'identifier taken'> {
  const creation = db.transaction(async (queries) => {
    const board = await lockBoardOf(queries, 'master_groups', groupId)
    if (!board) return 'no group'
    const size = await templateSize(queries, board.id)
    const [made] = await queries.sql<{ id: number; is_active: boolean }[]>`
      insert into master_cards (board_id, platform_id, group_id, title, description, unique_identifier, evaluation_check,
        needs_confirmation, tour_key, short_description, status, is_active, priority, sort_order, created_by)
      select board_id, ${board.platform_id}, id, ${wanted.title}, ${wanted.description ?? null}, ${wanted.unique_identifier ?? null},
        ${wanted.evaluation_check ?? null}, ${wanted.needs_confirmation ?? false}, ${wanted.tour_key ?? null},
        ${wanted.short_description ?? null}, ${wanted.status ?? 'open'}, ${wanted.is_active ?? true}, ${wanted.priority ?? 'normal'},
        (select coalesce(max(sort_order), 0) + 1 from master_cards held where held.group_id = g.id and held.deleted_at is null),
        ${actorId}
      from master_groups g where id = ${groupId} and deleted_at is null
      returning id, is_active`
    if (!made) return 'no group'
    await keepRevisions(queries, board.id, actorId, { cardIds: [made.id] })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    const isRolledOut = rollOut && made.is_active && board.is_active
    const rollout = { kind: 'card', boardId: board.id, cardId: made.id, actorId } as const
    const pushId = isRolledOut ? await startPush(queries, rollout) : null
    return { card: (await readTemplateCard(queries, made.id)) as Card, pushId }
  })
  return creation.catch(onTakenIdentifier)
}
