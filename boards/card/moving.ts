import type { Queries } from '#database/connect.ts'
import { changeAtOnce } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { type Card, madeCard } from './card.ts'

/** The result of the database function, which is in database/migrations. */
interface Moved {
  outcome: 'moved' | 'there already' | 'no card' | 'no group' | 'archived'
  /** Null if there is no such card or group. */
  card: Card | null
}

const moveStatement = `
  select outcome, ${madeCard} from move_card($1, $2, $3, $4, null, $5, $6::text::jsonb)`

/** Moves a card to a position in its group or another one, by default to the end. Undefined if the project has no such card. */
export async function moveCard(
  queries: Queries,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { groupId, position }: { groupId: number | null; position: number | null },
): Promise<Card | 'no group' | 'archived' | undefined> {
  const values = [projectId, id, groupId, position, actorId, JSON.stringify(quotas)]
  const [row] = await changeAtOnce<Moved>(queries, projectId, moveStatement, values)
  if (row?.outcome === 'no group' || row?.outcome === 'archived') return row.outcome
  return row?.card ?? undefined
}
