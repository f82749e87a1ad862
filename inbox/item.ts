// What the inbox of a person holds: one item per reason and card, or about a subscription or a new member.
import { flag, integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'

/** Why somebody is told. If several hold for the same event, the first one counts. */
export const reasons = [
  'assigned',
  'mentioned',
  'replied',
  'commented',
  'status_changed',
  'template_changed',
  'due_soon',
  'overdue',
  'trial_ending',
  'theme_deadline',
  'invitation_accepted',
] as const

/** Nobody is told who started a rollout. `item` has the item, in SQL. */
export const isByPerson = (item: string) => `${item}.reason <> 'template_changed'`

export type Reason = (typeof reasons)[number]

export const inboxItem = record({
  id: integer(),
  reason: oneOf(reasons),
  /** How often it happened since the person last read it. */
  count: integer(),
  is_read: flag(),
  occurred_at: timestamp(),
  /** Who did it last; null for reminders and rollouts. */
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  /** Null if it is about a trial or a new member. */
  card_id: nullable(integer()),
  card_title: nullable(text()),
  board_id: nullable(integer()),
  board_title: nullable(text()),
  /** The beginning of the newest comment, as plain text. */
  comment_id: nullable(integer()),
  excerpt: nullable(text()),
  /** The status that the card got. */
  status: nullable(text()),
  /** When the card is due, the trial ends, or a theme version is no longer supported. */
  ends_at: nullable(timestamp()),
  ends_on_date: flag(),
  product: nullable(text()),
})

export type InboxItem = (typeof inboxItem)['static']

/** Told that the inboxes of these people in the project have changed. */
export type Tell = (projectId: number, userIds: readonly number[]) => void
