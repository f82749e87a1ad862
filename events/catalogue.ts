// Every kind of event with its payload. One schema per kind is the TypeScript type, the check in tests (tests/events.ts) and the
// documentation. Short values are sent in full; long texts are only named in `texts` and read when they are needed. A missing
// field is null.
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

const card = record({
  title: text(),
  group_id: integer(),
  position: integer(),
  status: text(),
  priority: priority(),
  owner_id: optional(integer()),
  tag_id: optional(integer()),
  due_date: optional(timestamp()),
  texts,
})
const cardChanges = record({
  title: change(text()),
  status: change(text()),
  priority: change(priority()),
  owner_id: change(integer()),
  tag_id: change(integer()),
  due_date: change(timestamp()),
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
const pushKind = () => oneOf(['board', 'card', 'removal'])

const kind = <Data extends Schema>(about: string, data: Data) => ({ about, data })

export const catalogue = {
  'board.created': kind(
    'A board was created at the end of the list',
    record({ title: text(), position: integer(), tool_key: optional(text()), ...appearance, texts }),
  ),
  'board.updated': kind(
    'Fields of a board changed, or its place among the boards',
    record({ board_id: integer(), changes: record({ ...listed, is_active: change(flag()) }), texts }),
  ),
  'board.deleted': kind(
    'A board was deleted with its groups and cards',
    record({ board_id: integer(), title: text(), cards_count: integer() }),
  ),
  'board.restored': kind(
    'A deleted board came back with its groups and cards; read it anew',
    record({ board_id: integer(), cards_count: integer() }),
  ),
  'group.created': kind(
    'A group was created at the end of a board',
    record({
      group_id: integer(),
      title: text(),
      position: integer(),
      type: optional(text()),
      ...appearance,
      texts,
    }),
  ),
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
    'A deleted group came back with its cards; read the board anew',
    record({ group_id: integer(), cards_count: integer() }),
  ),
  'groups.reordered': kind(
    'The groups of a board have another order: all of them, in their new one',
    record({ group_ids: list(integer()) }),
  ),
  'card.created': kind('A card was created at the end of a group', card),
  'card.updated': kind('Fields of a card changed', record({ changes: cardChanges, texts })),
  'card.moved': kind(
    'A card was moved; recorded on both boards where it left one',
    record({ from_board_id: integer(), from_group_id: integer(), ...place }),
  ),
  'card.deleted': kind(
    'A card was deleted with its comments, by a person or by a rollout',
    record({ title: text(), push_id: optional(integer()), push_kind: optional(pushKind()) }),
  ),
  'card.restored': kind('A deleted card came back', card),
  'card.reset': kind(
    'Fields of a card have the value of the template again',
    record({
      fields: list(text()),
      changes: record({
        ...cardChanges.properties,
        unique_identifier: change(text()),
        evaluation_check: change(text()),
        tour_key: change(text()),
      }),
      texts,
      ...place,
    }),
  ),
  'cards.dismissed': kind(
    'The cards of the tour were dismissed: they are no longer active',
    record({ card_ids: list(integer()) }),
  ),
  'comment.created': kind(
    'A comment was written on a card',
    record({ comment_id: integer(), parent_comment_id: optional(integer()) }),
  ),
  'comment.updated': kind('The text of a comment changed', comment),
  'comment.deleted': kind('A comment was deleted with its replies', comment),
  'comment.restored': kind('A deleted comment came back with its replies', comment),
  'tag.created': kind('A tag was created', record({ ...tag, position: integer(), ...appearance })),
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
  'template.pushed': kind(
    'A rollout changed the board; read it anew',
    record({ push_id: optional(integer()), push_kind: pushKind() }),
  ),
  'theme.created': kind('A theme was created', record({ theme_id: integer(), name: text() })),
  'theme_version.created': kind('A theme version was created, as a draft', themeVersion),
  'theme_version.submitted': kind('A theme version was submitted for review', themeVersion),
  'theme_version.approved': kind('A theme version was approved', themeVersion),
  'theme_version.rejected': kind('A theme version was rejected', themeVersion),
  'theme_version.published': kind('A theme version was published', themeVersion),
  'theme_version.deprecated': kind('A theme version was deprecated', themeVersion),
  'theme_version.restored': kind('The deprecation of a theme version was taken back', themeVersion),
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
} satisfies Record<string, { about: string; data: Schema }>

export type EventKind = keyof typeof catalogue
export type Payload<Kind extends EventKind> = Static<(typeof catalogue)[Kind]['data']>
