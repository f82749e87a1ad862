import { flag, integer, nullable, oneOf, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Payload } from '#events/catalogue.ts'
import { shownAuthor, withoutSupportIds } from '#events/shown-name.ts'
import { descriptionFormat } from '../description-format.ts'
import { isOverdue } from './closing.ts'
import { priorities } from './priorities.ts'

/** Made by a person, by a template, or by a template for the tour. */
export const cardTypes = ['custom', 'template', 'tour'] as const

/** Shared by every card that v2 sends. */
export const cardOrigin = oneOf(cardTypes, {
  about: 'Where the card is from: `custom` (a person), `template` or `tour`; a filter of `cards/search`.',
})
export const dueIsDate = flag({
  about: 'True if the card is due on a day without a time; `due_date` is then the end of that day in UTC.',
})

/** The contract's Card; of v1's answers only that of cards/create has `card_type`. */
export const card = record({
  id: integer(),
  project_id: nullable(integer()),
  platform_id: integer(),
  master_card_id: nullable(integer()),
  group_id: nullable(integer()),
  owner_id: nullable(integer()),
  tag_id: nullable(integer()),
  created_by: nullable(integer()),
  sort_order: integer(),
  position: integer(),
  is_master: flag(),
  is_active: flag(),
  is_overdue: flag(),
  unique_identifier: nullable(text()),
  evaluation_check: nullable(text()),
  evaluation_passed: onlyInV2(
    nullable(flag({ about: 'Whether the check of the card passed; null without a result.' })),
  ),
  evaluated_at: onlyInV2(
    nullable(timestamp({ about: 'When the current result of the check was first reported.' })),
  ),
  evaluated_by: onlyInV2(
    nullable(integer({ about: "Who reported the result; null without one, and for Cardinal's own checks." })),
  ),
  needs_confirmation: onlyInV2(
    flag({ about: 'True: a check that passes sets the card to `to_check`, and a person closes it.' }),
  ),
  tour_key: nullable(text()),
  short_description: nullable(text()),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  status: text(),
  priority: oneOf(priorities),
  due_date: nullable(timestamp()),
  due_is_date: onlyInV2(dueIsDate),
  snoozed_until: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
  deleted_at: nullable(timestamp()),
  card_type: onlyInV2(cardOrigin),
})

export type Card = (typeof card)['static']

/** A result of a check that the card no longer has is not shown. */
export const ofItsCheck = (value: string) =>
  `case when c.evaluated_check = c.evaluation_check then ${value} end`

/** `c` is the card. `tour` is not stored, because a rollout can add a tour key or remove it. */
export const cardType = "case when c.tour_key is null then c.card_type else 'tour' end"

/** `c` is the card, `p` its project. */
export const cardColumns = (position: string) => `
  c.id, c.project_id, p.platform_id, c.master_card_id, c.group_id, c.owner_id, c.tag_id,
  ${shownAuthor('c.project_id', 'c.created_by')} as created_by, c.sort_order,
  ${position} as position, false as is_master, c.is_active,
  ${isOverdue('c')} as is_overdue,
  c.unique_identifier, c.evaluation_check, ${ofItsCheck('c.evaluation_passed')} as evaluation_passed,
  ${ofItsCheck('wire_time(c.evaluated_at)')} as evaluated_at, ${ofItsCheck(shownAuthor('c.project_id', 'c.evaluated_by'))} as evaluated_by,
  c.needs_confirmation, c.tour_key, c.short_description, c.title, c.description,
  description_format(c.description), c.status, c.priority,
  wire_time(c.due_date) as due_date, c.due_is_date, wire_time(c.snoozed_until) as snoozed_until,
  wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, wire_time(c.deleted_at) as deleted_at,
  ${cardType} as card_type`

/** The card that a database function created or changed, `made` at `place`, as JSON; null if there is none. */
export const madeCard = `(
  select row_to_json(wire) from (
    select ${cardColumns('place')} from (select (made).*) c join projects p on p.id = c.project_id
  ) wire) as card`

/** `c` is the card, `$1` the id of its project. */
export const positionInGroup = `(select count(*) from cards before where before.project_id = $1
  and before.group_id = c.group_id and before.deleted_at is null and before.rank <= c.rank)`

export async function readCard(queries: Queries, projectId: number, id: number): Promise<Card | undefined> {
  const [found] = await queries.run<Card>(
    `select ${cardColumns(positionInGroup)} from cards c join projects p on p.id = c.project_id
     where c.project_id = $1 and c.id = $2 and c.deleted_at is null`,
    [projectId, id],
  )
  return found
}

/** A card's board and group, and its size. */
export async function readLocation({ sql }: Queries, projectId: number, id: number) {
  const [place] = await sql<{ board_id: number; group_id: number; bytes: number }[]>`
    select board_id, group_id, bytes from cards
    where project_id = ${projectId} and id = ${id} and deleted_at is null`
  return place
}

/** The event payloads of cards that are created or restored. */
export function payloadsOf(
  queries: Queries,
  projectId: number,
  ids: readonly number[],
): Promise<{ id: number; board_id: number; data: Payload<'card.created'> }[]> {
  return queries.run(
    `select c.id, c.board_id, card_payload(c, ${positionInGroup}) as data from cards c
     where c.project_id = $1 and c.id = any($2::bigint[]) order by c.group_id, c.rank`,
    [projectId, ids as number[]],
  )
}

/** The same for each card of a group, in their order, as the members of the project see it. */
export async function cardPayloads(
  queries: Queries,
  projectId: number,
  groupId: number,
): Promise<NonNullable<Payload<'group.restored'>['cards']>> {
  const rows = await queries.run<{ data: Payload<'card.created'> & { card_id: number } }>(
    `select jsonb_build_object('card_id', made.id) || (${withoutSupportIds('made.payload', '$1')}) as data from (
       select c.id, c.rank, card_payload(c, row_number() over (order by c.rank)) as payload
       from cards c where c.project_id = $1 and c.group_id = $2 and c.deleted_at is null
     ) made order by made.rank`,
    [projectId, groupId],
  )
  return rows.map(({ data }) => data)
}
