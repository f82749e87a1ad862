// The filters of a board, stored in the address so that a filtered board can be bookmarked and shared.

import { dueBucketOf, dueTime } from '#boards/card/due.ts'
import { midnight } from '../../ui/days.ts'
import { t } from '../../words/words.ts'
import { isTuckedAway } from '../arrangement.ts'
import type { Card, Group, Priority } from '../types.ts'

export interface Filters {
  text: string
  /** Ids as in the address; `none` is unassigned, or no tag. */
  owners: string[]
  tags: string[]
  priorities: string[]
  dues: string[]
  types: string[]
  /** Also shows snoozed and hidden cards. */
  showsAll: boolean
}

export const dueNames: Record<string, string> = {
  overdue: t('Overdue'),
  today: t('Due today'),
  week: t('Due within 7 days'),
  none: t('No due date'),
}

export const typeNames: Record<Card['card_type'], string> = {
  custom: t('Custom'),
  template: t('Template'),
  tour: t('Tour'),
}

export const readFilters = (search: URLSearchParams): Filters => ({
  text: search.get('text') ?? '',
  owners: search.getAll('owner'),
  tags: search.getAll('tag'),
  priorities: search.getAll('priority'),
  dues: search.getAll('due'),
  types: search.getAll('type'),
  showsAll: search.get('show') === 'all',
})

export const isFiltering = ({ text, owners, tags, priorities, dues, types }: Filters): boolean =>
  text !== '' || [owners, tags, priorities, dues, types].some((names) => names.length > 0)

/** The times at which a board changes by itself: a snooze ends, or a card becomes overdue. */
export const turningPoints = (groups: readonly Pick<Group, 'cards'>[]): number[] =>
  groups.flatMap(({ cards }) =>
    cards.flatMap((card) => [Date.parse(card.snoozed_until ?? ''), dueTime(card)]),
  )

/** Filters of one kind are combined with "or", of different kinds with "and". */
export function matches(card: Card, filters: Filters, now: number): boolean {
  if (!filters.showsAll && isTuckedAway(card, now)) return false
  const { text, owners, tags, priorities, dues, types } = filters
  const among = (names: string[], value: number | Priority | Card['card_type'] | null) =>
    names.length === 0 || names.includes(value === null ? 'none' : String(value))
  return (
    among(owners, card.owner_id) &&
    among(tags, card.tag_id) &&
    among(priorities, card.priority) &&
    among(types, card.card_type) &&
    (dues.length === 0 || dues.some((due) => isDue(card, due, now))) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => card.title.toLowerCase().includes(word))
  )
}

/** True if only a snooze or hiding keeps the card from being shown. */
export const isOnlyTuckedAway = (card: Card, filters: Filters, now: number): boolean =>
  !filters.showsAll && isTuckedAway(card, now) && matches(card, { ...filters, showsAll: true }, now)

function isDue(card: Card, due: string, now: number): boolean {
  const bucket = dueBucketOf(card, now, midnight)
  if (due === 'week') return bucket === 'today' || bucket === 'week'
  // What was due earlier today is due today as well.
  if (due === 'today' && bucket === 'overdue') return dueTime(card) >= midnight(0, now)
  return bucket === due
}
