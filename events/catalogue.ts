// Every kind of event with its payload. One schema per kind is the TypeScript type, the check in tests (tests/events.ts) and the
// documentation. Short values are sent in full; long texts are only named in `texts` and read when they are needed. A missing
// field is null. Events from before versions (migration 0016) may say less: activity lists show them, streams never send them.
import {
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  record,
  type Schema,
  type Static,
  text,
  timestamp,
} from '#contract/schema.ts'
import { finding } from './finding.ts'

/** Texts that are too long to be sent to every listener. */
export const longTexts = ['description', 'short_description'] as const
export type LongText = (typeof longTexts)[number]
const texts = optional(list(oneOf(longTexts)))

const change = <S extends Schema>(schema: S) =>
  optional(record({ from: nullable(schema), to: nullable(schema) }))

const priority = () => oneOf(['low', 'normal', 'high', 'urgent'])
const appearance = { icon: optional(text()), color: optional(text()) }
const listed = {
  title: change(text()),
  position: change(integer()),
  icon: change(text()),
  color: change(text()),
}

const origin = { is_active: flag(), created_by: optional(integer()), created_at: timestamp() }

const board = {
  title: text(),
  position: integer(),
  master_board_id: optional(integer()),
  tool_key: optional(text()),
  ...appearance,
  ...origin,
  done_closes_cards: optional(flag()),
  texts,
}
const group = {
  group_id: integer(),
  title: text(),
  position: integer(),
  master_group_id: optional(integer()),
  type: optional(text()),
  ...appearance,
  is_collapsed: flag(),
  ...origin,
  texts,
}
const card = {
  title: text(),
  group_id: integer(),
  position: integer(),
  sort_order: integer(),
  status: text(),
  priority: priority(),
  owner_id: optional(integer()),
  tag_id: optional(integer()),
  due_date: optional(timestamp()),
  due_is_date: optional(flag()),
  snoozed_until: optional(timestamp()),
  master_card_id: optional(integer()),
  unique_identifier: optional(text()),
  evaluation_check: optional(text()),
  /** The last result of its check, while it has one. */
  evaluation_passed: optional(flag()),
  evaluated_at: optional(timestamp()),
  evaluated_by: optional(integer()),
  needs_confirmation: optional(flag()),
  tour_key: optional(text()),
  ...origin,
  texts,
}
/** 100 of the longest titles and values would be 200 kB. */
export const mostCardsInEvent = 100
/** Of the cards that the last so many events of a project list together. */
export const mostBytesOfCards = 64 * 1024
export const eventsThatShareCards = 100
/** Ids alone: 10 kB. */
export const mostOrderedInEvent = 1000
const cardChanges = record({
  title: change(text()),
  status: change(text()),
  priority: change(priority()),
  owner_id: change(integer()),
  tag_id: change(integer()),
  due_date: change(timestamp()),
  /** Also where it stays true but the due date is another. */
  due_is_date: change(flag()),
  snoozed_until: change(timestamp()),
  is_active: change(flag()),
})
const place = { board_id: integer(), group_id: integer(), position: integer() }
const comment = record({ comment_id: integer() })
const tag = { tag_id: integer(), name: text() }
const themeVersion = record({
  version_id: integer(),
  theme_name: text(),
  version: text(),
  theme_status: text(),
  approval_status: optional(text()),
  rejection_reason: optional(text()),
})
const subscription = record({
  subscription_id: integer(),
  product: text(),
  changes: record({
    status: change(text()),
    plan: change(text()),
    period: change(text()),
    trial_ends_at: change(timestamp()),
    current_period_ends_at: change(timestamp()),
    cancels_at_period_end: change(flag()),
  }),
})
const order = record({
  subscription_id: integer(),
  product: text(),
  reference: text(),
  plan: text(),
  period: text(),
  /** In the currency's smallest unit. */
  amount: integer(),
  currency: text(),
  expires_at: timestamp(),
})
const updatedCard = record({
  card_id: integer(),
  fields: list(text()),
  kept: list(text()),
  is_moved: flag(),
})
const changedCards = record({
  change: oneOf(['added', 'returned', 'removed', 'updated']),
  ids: list(integer()),
  fields: optional(list(text())),
  kept: optional(list(text())),
  is_moved: optional(flag()),
})
const changedGroup = record({
  change: oneOf(['added', 'removed', 'updated']),
  group_id: integer(),
  fields: list(text()),
  is_moved: flag(),
})
/** Of each kind of change by a rollout so many cards and groups are named. */
export const mostNamed = 5
/** Some of the cards and groups that a rollout changed or left, with the titles that they had then; not sent. */
const namedThings = optional(list(record({ thing: oneOf(['card', 'group']), id: integer(), title: text() })))
const rolloutKind = () => oneOf(['board', 'card', 'removal', 'revert', 'reset'])

/** The number of the rollout's batch; events from before it was kept have none. */
function batchOf() {
  return optional(integer())
}

/** Of what a rollout deleted. */
const ofRollout = { rollout_id: optional(integer()), rollout_kind: optional(rolloutKind()), batch: batchOf() }

const kind = <Data extends Schema>(about: string, data: Data) => ({ about, data })

export const catalogue = {
  'board.created': kind('A board was created at the end of the list, without groups', record(board)),
  'board.updated': kind(
    'Fields of a board changed, or its place among the boards',
    record({
      board_id: integer(),
      changes: record({ ...listed, is_active: change(flag()), done_closes_cards: change(flag()) }),
      texts,
    }),
  ),
  'board.deleted': kind(
    'A board was deleted with its groups and cards, by a person or by a revert',
    record({ board_id: integer(), title: text(), cards_count: integer(), ...ofRollout }),
  ),
  'board.restored': kind(
    'A deleted board came back with its groups and cards: all that a list of boards shows of it',
    record({
      board_id: integer(),
      ...board,
      groups_count: integer(),
      cards_count: integer(),
      open_cards_count: integer(),
      overdue_cards_count: integer(),
    }),
  ),
  'group.created': kind('A group was created at the end of a board, without cards', record(group)),
  'group.updated': kind(
    'Fields of a group changed, or its place on the board',
    record({
      group_id: integer(),
      changes: record({ ...listed, type: change(text()), is_collapsed: change(flag()) }),
      texts,
    }),
  ),
  'group.deleted': kind(
    'A group was deleted with its cards',
    record({ group_id: integer(), title: text(), cards_count: integer() }),
  ),
  'group.restored': kind(
    `A deleted group came back with its cards, in their order; more than ${mostCardsInEvent} of them, or more than ${mostBytesOfCards / 1024} kB in the last ${eventsThatShareCards} events of the project, are left out, and the board is to be read`,
    record({
      ...group,
      cards_count: integer(),
      cards: optional(list(record({ card_id: integer(), ...card }), { max: mostCardsInEvent })),
    }),
  ),
  'group.archived': kind(
    'A group left its board with its cards, until it is unarchived',
    record({ group_id: integer(), title: text(), cards_count: integer() }),
  ),
  'group.unarchived': kind(
    'An archived group came back with its cards; read the board again',
    record({ ...group, cards_count: integer() }),
  ),
  'groups.reordered': kind(
    'The groups of a board have another order: all of them, in their new one',
    record({ group_ids: list(integer()) }),
  ),
  'card.created': kind('A card was created, at the end of a group unless it is a duplicate', record(card)),
  'card.updated': kind(
    'Fields of a card changed; `is_undo` if a member who was removed by mistake has the card again',
    record({ changes: cardChanges, texts, is_undo: optional(flag()) }),
  ),
  'card.moved': kind(
    'A card was moved; recorded on both boards where it left one. A group of type done may change its status',
    record({ from_board_id: integer(), from_group_id: integer(), ...place, status: change(text()) }),
  ),
  'card.deleted': kind(
    'A card was deleted with its comments, by a person or by a rollout',
    record({ title: text(), ...ofRollout }),
  ),
  'card.restored': kind('A deleted card came back', record(card)),
  'card.reset': kind(
    'Fields of a card have the value of the template again',
    record({
      fields: list(text()),
      changes: record({
        ...cardChanges.properties,
        unique_identifier: change(text()),
        evaluation_check: change(text()),
        needs_confirmation: change(flag()),
        tour_key: change(text()),
      }),
      texts,
      ...place,
    }),
  ),
  'card.updates_stopped': kind('Rollouts no longer change a template card of the project', record({})),
  'card.updates_taken': kind('Rollouts change a template card of the project again', record({})),
  'card.evaluated': kind(
    'The check of a card passed or failed; the actor reported it, or is null for a check of Cardinal itself',
    record({
      evaluation_check: text(),
      passed: flag(),
      /** What the reporter said. */
      detail: optional(text()),
      /** What Cardinal itself found; the activity list says it in a sentence. */
      finding: optional(finding),
      changes: record({ status: change(text()) }),
    }),
  ),
  'cards.dismissed': kind(
    'The cards of the tour were dismissed: they are no longer active',
    record({ card_ids: list(integer()) }),
  ),
  'cards.reactivated': kind(
    'The dismissed cards of the tour were brought back: they are active again',
    record({ card_ids: list(integer()) }),
  ),
  'cards.reordered': kind(
    `The cards of a group have another order: all of them, in their new one; more than ${mostOrderedInEvent} are left out, and the board is to be read`,
    record({ group_id: integer(), card_ids: optional(list(integer(), { max: mostOrderedInEvent })) }),
  ),
  'comment.created': kind(
    'A comment was written on a card',
    record({ comment_id: integer(), parent_comment_id: optional(integer()) }),
  ),
  'comment.updated': kind('The text of a comment changed', comment),
  'comment.deleted': kind('A comment was deleted with its replies', comment),
  'comment.restored': kind('A deleted comment came back with its replies', comment),
  'tag.created': kind(
    'A tag was created',
    record({
      ...tag,
      position: integer(),
      ...appearance,
      ...origin,
    }),
  ),
  'tag.updated': kind(
    'Fields of a tag changed, or its place among the tags',
    record({
      tag_id: integer(),
      changes: record({
        name: change(text()),
        position: change(integer()),
        icon: change(text()),
        color: change(text()),
        is_active: change(flag()),
      }),
    }),
  ),
  'tag.deleted': kind('A tag was deleted; cards that had it have none', record(tag)),
  'views.changed': kind(
    'A saved view of the project was created, changed or deleted; list the views again',
    record({ view_id: integer() }),
  ),
  'tag.restored': kind(
    'A deleted tag came back, also on the cards that had it and have no other tag; read the board again',
    record({
      ...tag,
      position: integer(),
      ...appearance,
      ...origin,
    }),
  ),
  'project.updated': kind(
    'The name of the project changed, the address of its website, its language or its time zone',
    record({
      changes: record({
        name: change(text()),
        website_url: change(text()),
        language: change(text()),
        time_zone: change(text()),
      }),
    }),
  ),
  'project.deleted': kind(
    'The project was deleted; its streams end, and it can be restored for 30 days',
    record({ name: text() }),
  ),
  'project.restored': kind('The deleted project is back', record({ name: text() })),
  'project.archived': kind(
    'The project was archived: it can be read and not changed',
    record({ name: text() }),
  ),
  'project.unarchived': kind('The archived project is back', record({ name: text() })),
  'member.joined': kind(
    'A person became a member of the project, or is a member again',
    record({ user_id: integer(), role: text(), invited_by: optional(integer()) }),
  ),
  'member.updated': kind(
    'A member has another role',
    record({ user_id: integer(), changes: record({ role: change(text()) }) }),
  ),
  'member.left': kind('A member left the project or was removed', record({ user_id: integer() })),
  'template.rolled_out': kind(
    'A rollout changed the board; read the board again',
    record({
      rollout_id: optional(integer()),
      rollout_kind: rolloutKind(),
      batch: batchOf(),
      /** Events from before versions have none of these. */
      version: optional(integer()),
      added_count: optional(integer()),
      /** How many cards a revert took away. */
      removed_count: optional(integer()),
      updated_count: optional(integer()),
      /** The first 20 cards that it updated: which fields, and which ones it left as the project had customized them. */
      updated: optional(list(updatedCard)),
      /** The other cards that it changed, those with the same change together. Only the history of a card reads it; it is not sent. */
      cards: optional(list(changedCards)),
      /** The groups that it changed, of a board that the project had before; not sent either. */
      changed_groups: optional(list(changedGroup)),
      /** The fields of the board itself that it changed. */
      board_fields: optional(list(text())),
      named: namedThings,
    }),
  ),
  'template.kept': kind(
    'A rollout left cards as they were, because the project had customized everything that it would change in them',
    record({
      /** Null if the project received the template because it gained the product. */
      rollout_id: nullable(integer()),
      rollout_kind: rolloutKind(),
      batch: batchOf(),
      version: optional(integer()),
      /** Which fields they kept, those with the same ones together. Only the history of a card reads it; it is not sent. */
      cards: optional(list(record({ ids: list(integer()), kept: list(text()) }))),
      named: namedThings,
    }),
  ),
  'theme.created': kind('A theme was created', record({ theme_id: integer(), name: text() })),
  'theme_version.created': kind('A theme version was created, as a draft', themeVersion),
  'theme_version.submitted': kind('A theme version was submitted for review', themeVersion),
  'theme_version.approved': kind('A theme version was approved', themeVersion),
  'theme_version.rejected': kind('A theme version was rejected', themeVersion),
  'theme_version.published': kind('A theme version was published', themeVersion),
  'theme_version.deprecated': kind('A theme version was deprecated', themeVersion),
  'theme_version.restored': kind('A deprecated theme version was restored', themeVersion),
  'theme_version.chosen': kind(
    'The project uses another theme version',
    record({ version_id: integer(), theme_name: text(), version: text() }),
  ),
  'subscription.trial_started': kind('A trial began', subscription),
  'subscription.trial_extended': kind('A trial was extended', subscription),
  'subscription.activated': kind('A subscription was paid for', subscription),
  'subscription.expired': kind('A trial ended', subscription),
  'subscription.payment_failed': kind('A payment failed', subscription),
  'subscription.canceled': kind('A subscription ended', subscription),
  'subscription.updated': kind('A subscription changed', subscription),
  'order.placed': kind('A plan or its next period was ordered, to be paid by bank transfer', order),
  'order.reminded': kind('An order is still unpaid after half of its time', order),
  'order.paid': kind('The payment of an order was booked', order),
  'order.expired': kind(
    'An order can no longer be paid: its time is over, another plan was chosen, or the subscription was canceled',
    order,
  ),
} satisfies Record<string, { about: string; data: Schema }>

export type EventKind = keyof typeof catalogue
export type Payload<Kind extends EventKind> = Static<(typeof catalogue)[Kind]['data']>
