import type { Queries } from '#database/connect.ts'
import { changeAtOnce } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { type Invalid, invalidAssignments } from './assigning.ts'
import { type Card, madeCard } from './card.ts'

interface NewCard {
  title: string
  description?: string | null
  status?: string | null
  owner_id?: number | null
  tag_id?: number | null
  due_date?: string | null
  priority?: Card['priority'] | null
}

interface Made {
  has_group: boolean
  /** Null without a group. */
  is_group_active: boolean | null
  is_owner_valid: boolean
  is_tag_valid: boolean
  card: Card | null
}

/** One round trip, to a function of the database. */
export const createStatement = `
  select has_group, is_group_active, is_owner_valid, is_tag_valid, ${madeCard}
  from create_card($1, $2, $3, $4, $5, $6, $7, $8, $9::text::timestamptz, $10::text::card_priority, $11::text::jsonb)`

/** Creates a card at the end of a group, by default the project's first; undefined if there is no such group. */
export async function createCard(
  queries: Queries,
  quotas: Quotas,
  { projectId, groupId, actorId }: { projectId: number; groupId: number | null; actorId: number },
  wanted: NewCard,
): Promise<{ card: Card } | { invalid: Invalid & { group_id?: 'archived' } } | undefined> {
  const [made] = await changeAtOnce<Made>(queries, projectId, createStatement, [
    projectId,
    groupId,
    actorId,
    wanted.title,
    wanted.description ?? null,
    wanted.status ?? null,
    wanted.owner_id ?? null,
    wanted.tag_id ?? null,
    wanted.due_date ?? null,
    wanted.priority ?? null,
    JSON.stringify(quotas),
  ])
  if (!made?.has_group) return undefined
  if (made.card) return { card: made.card }
  const { tag_id: tagProblem = 'not_found' } = await invalidAssignments(queries, projectId, {
    tag_id: wanted.tag_id ?? null,
  })
  return {
    invalid: {
      ...(!made.is_group_active && { group_id: 'archived' }),
      ...(!made.is_owner_valid && { owner_id: 'not_found' }),
      ...(!made.is_tag_valid && { tag_id: tagProblem }),
    },
  }
}
