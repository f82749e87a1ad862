import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { integer, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { currentProject } from '#identity/caller.ts'
import { inProjectOfOrElse } from '#identity/in-project.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { hasAccess } from '../boards/board.ts'
import { cleaned, description, title } from '../fields.ts'
import { type Card, card, cardColumns, priorities } from './card.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/create',
  summary: 'Create a card at the end of a group',
  audience: 'work',
  input: {
    title,
    description,
    group_id: optional(integer()),
    status: optional(text({ max: 50 })),
    owner_id: optional(integer()),
    tag_id: optional(integer()),
    due_date: optional(timestamp()),
    priority: optional(oneOf(priorities)),
  },
  success: 201,
  message: 'The card was created.',
  output: record({ card: record({ ...card.properties, card_type: text() }) }),
  failures: [403, 422],
  writes: true,
  async handle({ input, caller, db, live, http, quotas, readDescription, fail }) {
    const { group_id: groupId, ...wanted } = await cleaned(input, { readDescription, fail })
    const create = async (projectId: number) => {
      const created = await insertCard(db, quotas, projectId, caller.id, groupId ?? null, wanted).catch(
        refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'group_id')),
      )
      if (created?.card) live.announce(http, projectId)
      return created
    }
    const missingGroup = () => fail(422, { group_id: ['The selected group id is invalid.'] })
    const created =
      groupId === null || groupId === undefined
        ? await create(currentProject(caller, 'work', fail))
        : await inProjectOfOrElse(
            { db, caller, permission: 'work', kind: 'groups', id: groupId },
            fail,
            ({ projectId }) => create(projectId),
            missingGroup,
          )
    if (!created) throw missingGroup()
    const errors = {
      ...(!created.is_owner_valid && { owner_id: ['The selected owner id is invalid.'] }),
      ...(!created.is_tag_valid && { tag_id: ['The selected tag id is invalid.'] }),
    }
    if (!created.card) throw fail(422, errors)
    return { card: created.card }
  },
})

interface NewCard {
  title: string
  description?: string | null
  status?: string | null
  owner_id?: number | null
  tag_id?: number | null
  due_date?: string | null
  priority?: (typeof priorities)[number] | null
}

/** The named group, or the first one of the first active board; shared lock: it cannot be deleted meanwhile. */
const namedGroup = `select g.project_id, g.board_id, g.id from groups g
  where g.project_id = $1 and g.id = $2 and g.deleted_at is null for key share`
const firstGroup = `select g.project_id, g.board_id, g.id from boards b
  join projects p on p.id = b.project_id
  join groups g on g.project_id = b.project_id and g.board_id = b.id and g.deleted_at is null
  where b.project_id = $1 and $2::bigint is null and b.deleted_at is null and b.is_active and ${hasAccess}
  order by b.rank, g.rank limit 1 for key share of g`

/**
 * One statement, one round trip: the group, what the ids name, the card, its event. No row where there is no group. The list is
 * counted in the index cards_rank alone: at 10,000 cards 2.3 ms instead of the 7.6 ms that reading the cards took.
 */
const insertStatement = (group: string) => `
  with place as (${group}),
  last as (select list_end() as rank),
  held as (
    select count(*) filter (where c.rank < (select rank from last)) + 1 as position,
      coalesce(max(c.sort_order), 0) + 1 as sort_order
    from place, cards c where c.project_id = $1 and c.group_id = place.id and c.deleted_at is null
  ),
  tag as (select id from tags where project_id = $1 and id = $8 and deleted_at is null for key share),
  valid as (select
    $7::bigint is null or exists (select from memberships where project_id = $1 and user_id = $7) as is_owner_valid,
    $8::bigint is null or exists (select from tag) as is_tag_valid
  ),
  c as (
    insert into cards (project_id, board_id, group_id, created_by, title, description, status, owner_id, tag_id, due_date,
      priority, rank, sort_order)
    select place.project_id, place.board_id, place.id, $3, $4, $5, coalesce($6, 'open'), $7, $8, $9::text::timestamptz,
      coalesce($10::text, 'normal')::card_priority, last.rank, held.sort_order
    from place, last, held, valid where is_owner_valid and is_tag_valid
    returning *
  ),
  event as (
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select project_id, board_id, id, $3, 'card.created', jsonb_build_object('title', title, 'group_id', group_id) from c
  )
  select valid.*, (select row_to_json(made) from (
    select ${cardColumns('held.position')}, c.card_type from held, c join projects p on p.id = c.project_id) made) as card,
    (select take_room(c.project_id, c.board_id, $11::text::jsonb, 1, more_bytes => c.bytes, list => c.group_id)::text from c)
  from place, valid`

export const intoNamedGroup = insertStatement(namedGroup)
const intoFirstGroup = insertStatement(firstGroup)

async function insertCard(
  queries: Queries,
  quotas: Quotas,
  projectId: number,
  userId: number,
  groupId: number | null,
  input: NewCard,
) {
  const [made] = await queries.run<{
    is_owner_valid: boolean
    is_tag_valid: boolean
    card: (Card & { card_type: string }) | null
  }>(groupId === null ? intoFirstGroup : intoNamedGroup, [
    projectId,
    groupId,
    userId,
    input.title,
    input.description ?? null,
    input.status ?? null,
    input.owner_id ?? null,
    input.tag_id ?? null,
    input.due_date ?? null,
    input.priority ?? null,
    JSON.stringify(quotas),
  ])
  return made
}
