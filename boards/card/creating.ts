import type { Queries } from '#database/connect.ts'
import { changeAtOnce } from '#events/change.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { type Invalid, invalidAssignments } from './assigning.ts'
import type { Card } from './card.ts'
import { asDue, isOverdue } from './due.ts'
import { newCardFields } from './new-card.ts'

interface NewCard {
  title: string
  description?: string | null
  status?: string | null
  owner_id?: number | null
  tag_id?: number | null
  due_date?: string | null
  due_is_date?: boolean | null
  priority?: Card['priority'] | null
}

/** What the database adds to the values of a new card. */
type Added = Pick<
  Card,
  | 'id'
  | 'platform_id'
  | 'group_id'
  | 'position'
  | 'sort_order'
  | 'description_format'
  | 'due_date'
  | 'created_at'
>

/** Without a card, its columns are null. */
type Made = { [Column in keyof Added]: Added[Column] | null } & {
  has_group: boolean
  /** Null without a group. */
  is_group_active: boolean | null
  is_owner_valid: boolean
  is_tag_valid: boolean
}

/** One round trip, to a function of the database. */
export const createStatement = `
  select has_group, is_group_active, is_owner_valid, is_tag_valid, made_id as id,
    (select platform_id from projects where id = $1), list_id as group_id, place as position, made_order as sort_order,
    description_format($5), wire_time($9::text::timestamptz) as due_date, wire_time(made_at) as created_at
  from create_card($1, $2, $3, $4, $5, $6, $7, $8, $9::text::timestamptz, $10::boolean,
    $11::text::card_priority, $12::text::jsonb)`

/** Creates a card at the end of a group, by default the project's first; undefined if there is no such group. */
export async function createCard(
  queries: Queries,
  quotas: Quotas,
  { projectId, groupId, actorId }: { projectId: number; groupId: number | null; actorId: number },
  wanted: NewCard,
): Promise<{ card: Card } | { invalid: Invalid & { group_id?: 'archived' } } | undefined> {
  const due = asDue(wanted)
  const [made] = await changeAtOnce<Made>(queries, projectId, createStatement, [
    projectId,
    groupId,
    actorId,
    wanted.title,
    wanted.description ?? null,
    wanted.status ?? null,
    wanted.owner_id ?? null,
    wanted.tag_id ?? null,
    due.due_date,
    due.due_is_date,
    wanted.priority ?? null,
    JSON.stringify(quotas),
  ])
  if (!made?.has_group) return undefined
  if (made.id !== null) return { card: newCard(made as Added, { projectId, actorId }, { ...wanted, ...due }) }
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

/** `$4` is the list of titles. */
const createManyStatement = `
  select has_group, is_group_active, is_owner_valid, is_tag_valid, made_id as id,
    (select platform_id from projects where id = $1), list_id as group_id, place as position, made_order as sort_order,
    description_format(null), null::text as due_date, wire_time(made_at) as created_at, listed.title
  from jsonb_array_elements_text($4::text::jsonb) with ordinality as listed (title, number),
    lateral create_card($1, $2, $3, listed.title, null, null, null, null, null, false, null, $5::text::jsonb)`

/** Creates a card for each title at the end of a group, all or none; undefined if there is no such group. */
export async function createCards(
  queries: Queries,
  quotas: Quotas,
  { projectId, groupId, actorId }: { projectId: number; groupId: number | null; actorId: number },
  titles: readonly string[],
): Promise<Card[] | 'archived' | undefined> {
  const values = [projectId, groupId, actorId, JSON.stringify(titles), JSON.stringify(quotas)]
  const made = await changeAtOnce<Made & { title: string }>(queries, projectId, createManyStatement, values)
  if (!made[0]?.has_group) return undefined
  if (!made[0].is_group_active) return 'archived'
  return made.map(({ title, ...added }) => newCard(added as Added, { projectId, actorId }, { title }))
}

/** Put together here, because the database took a tenth of the call to make JSON of what the caller has just sent. */
const newCard = (
  { id, platform_id, group_id, position, sort_order, description_format, due_date, created_at }: Added,
  { projectId, actorId }: { projectId: number; actorId: number },
  { title, description, status, owner_id, tag_id, priority, due_is_date }: NewCard,
): Card => ({
  ...newCardFields,
  id,
  project_id: projectId,
  platform_id,
  group_id,
  owner_id: owner_id ?? null,
  tag_id: tag_id ?? null,
  created_by: actorId,
  sort_order,
  position,
  is_overdue: isOverdue({ due_date, status: status ?? newCardFields.status }, Date.parse(created_at)),
  title,
  description: description ?? null,
  description_format,
  status: status ?? newCardFields.status,
  priority: priority ?? newCardFields.priority,
  due_date,
  due_is_date: due_is_date ?? false,
  created_at,
  updated_at: created_at,
})
