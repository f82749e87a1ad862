import type { Card } from '#boards/card/card.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
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
  boardId: number
  /** False if the card or its template is inactive, so that no rollout brings it to projects. */
  isActive: boolean
}

/** Creates a card at the end of a template's group. */
export function createTemplateCard(
  db: Database,
  quotas: Quotas,
  by: { groupId: number; actorId: number },
  wanted: NewTemplateCard,
): Promise<Created | 'no group' | 'identifier taken'> {
  return db.transaction((queries) => addTemplateCard(queries, quotas, by, wanted)).catch(onTakenIdentifier)
}

/** The same inside a transaction, which goes on to roll the card out. */
export async function addTemplateCard(
  queries: Queries,
  quotas: Quotas,
  { groupId, actorId }: { groupId: number; actorId: number },
  wanted: NewTemplateCard,
): Promise<Created | 'no group'> {
  const board = await lockBoardOf(queries, 'master_groups', groupId)
  if (!board) return 'no group'
  const size = await templateSize(queries, board.id)
  const [last] = await queries.sql<{ sort_order: number }[]>`
    select coalesce(max(sort_order), 0)::integer as sort_order from master_cards
    where group_id = ${groupId} and deleted_at is null`
  const [made] = await queries.sql<{ id: number; is_active: boolean }[]>`
    insert into master_cards (board_id, platform_id, group_id, title, description, unique_identifier, evaluation_check,
      needs_confirmation, tour_key, short_description, status, is_active, priority, sort_order, created_by)
    select board_id, ${board.platform_id}, id, ${wanted.title}, ${wanted.description ?? null}, ${wanted.unique_identifier ?? null},
      ${wanted.evaluation_check ?? null}, ${wanted.needs_confirmation ?? false}, ${wanted.tour_key ?? null},
      ${wanted.short_description ?? null}, ${wanted.status ?? 'open'}, ${wanted.is_active ?? true}, ${wanted.priority ?? 'normal'},
      ${(last?.sort_order as number) + 1},
      ${actorId}
    from master_groups where id = ${groupId} and deleted_at is null
    returning id, is_active`
  if (!made) return 'no group'
  await keepRevisions(queries, board.id, actorId, { cardIds: [made.id] })
  await refuseLargerTemplate(queries, quotas, board.id, size)
  return {
    card: (await readTemplateCard(queries, made.id)) as Card,
    boardId: board.id,
    isActive: made.is_active && board.is_active,
  }
}
