import type { Queries } from '#database/connect.ts'
import { changeAtOnce } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { type Card, readCard } from './card.ts'

/** What the database's function tells; it is in database/migrations. */
type Outcome = 'moved' | 'there already' | 'no card' | 'no group'

const moveStatement = 'select move_card($1, $2, $3, $4, $5, $6::text::jsonb) as outcome'

/** To a place of its group or of another one; without a place, to the end. Undefined where the project has no such card. */
export async function moveCard(
  queries: Queries,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  { groupId, position }: { groupId: number | null; position: number | null },
): Promise<Card | 'no group' | undefined> {
  const values = [projectId, id, groupId, position, actorId, JSON.stringify(quotas)]
  const [row] = await changeAtOnce<{ outcome: Outcome }>(queries, projectId, moveStatement, values)
  if (row?.outcome === 'no card') return undefined
  return row?.outcome === 'no group' ? 'no group' : readCard(queries, projectId, id)
}
