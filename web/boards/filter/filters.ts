// The filters of a board or a list of cards. They are stored in the address, so that a filtered page can be bookmarked, shared and saved as a view.

import { dueBucketOf, dueTime } from '#boards/card/due.ts'
import { textOfHtml } from '#text/html-text.ts'
import { midnight } from '../../ui/days.ts'
import { isTuckedAway } from '../arrangement.ts'
import type { Card, ListedCard } from '../types.ts'

/** The parameters of the address that filter, besides `text` and `show`. */
const filterKinds = ['owner', 'status', 'priority', 'tag', 'due', 'type', 'created', 'has'] as const
type FilterKind = (typeof filterKinds)[number]

/** A card is shown if it has one of the values in `any`, and none of those in `none`. */
interface Wanted {
  kind: FilterKind
  any: string[]
  none: string[]
}

/** The cards that have comments, by their id. */
export type Comments = ReadonlyMap<number, { unread_count: number }>

export interface Filters {
  /** In lower case; a card is shown if its texts have all of them. */
  words: string[]
  /** Cards with these words in a description that is not here, by their id. */
  described?: ReadonlySet<number>
  wanted: Wanted[]
  comments: Comments
  /** Also shows snoozed and hidden cards. */
  showsAll: boolean
}

const isNot = '-'

/** A filter in the address: `owner=5` wants that, `owner=-5` everything else. */
export interface Filter {
  kind: FilterKind | 'show'
  value: string
  isNegated: boolean
}

const readFilter = (kind: Filter['kind'], written: string): Filter => ({
  kind,
  value: written.startsWith(isNot) ? written.slice(1) : written,
  isNegated: written.startsWith(isNot),
})

export const writeFilter = ({ value, isNegated }: Filter): string => (isNegated ? isNot : '') + value

/** The filters of an address in the order in which they were added. */
export const filtersIn = (search: URLSearchParams): Filter[] =>
  [...search]
    .filter(([name]) => name === 'show' || isKind(name))
    .map(([name, value]) => readFilter(name as Filter['kind'], value))

const isKind = (name: string): name is FilterKind => (filterKinds as readonly string[]).includes(name)

/** The address without its filters; how the cards are shown stays. */
export const withoutFilters = (search: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...search].filter(([name]) => name !== 'text' && name !== 'show' && !isKind(name)))

export function readFilters(search: URLSearchParams, userId: number, comments: Comments): Filters {
  const wantedOf = (kind: FilterKind): Wanted => {
    const all = search.getAll(kind).map((written) => readFilter(kind, written))
    const values = (isNegated: boolean) =>
      all
        .filter((filter) => filter.isNegated === isNegated)
        .map(({ value }) => (kind === 'owner' && value === 'me' ? String(userId) : value))
    return { kind, any: values(false), none: values(true) }
  }
  return {
    words: (search.get('text') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    wanted: filterKinds.map(wantedOf).filter(({ any, none }) => any.length + none.length > 0),
    comments,
    showsAll: search.get('show') === 'all',
  }
}

export const isFiltering = ({ words, wanted }: Filters): boolean => words.length + wanted.length > 0

/** The times at which cards change by themselves: a snooze ends, or one becomes overdue. */
export const turningPoints = (cards: readonly ListedCard[]): number[] =>
  cards.flatMap((card) => [Date.parse(card.snoozed_until ?? ''), dueTime(card)])

/** The cards of boards have their descriptions; of cards in lists across boards the service knows them. */
type Described = ListedCard & Partial<Pick<Card, 'short_description' | 'description' | 'description_format'>>

/** What words are looked for in, made once for each card and not before somebody filters by text. */
const texts = new WeakMap<Described, string>()

function textOf(card: Described): string {
  const known = texts.get(card)
  if (known !== undefined) return known
  const { title, short_description: summary, description, description_format: format } = card
  const about = format === 'html' ? textOfHtml(description ?? '') : description
  const text = [title, summary, about].join('\n').toLowerCase()
  texts.set(card, text)
  return text
}

/** Filters of one kind are combined with "or", of different kinds with "and". */
export function matches(card: Described, filters: Filters, now: number): boolean {
  if (!filters.showsAll && isTuckedAway(card, now)) return false
  const { words, described, wanted, comments } = filters
  const fits = ({ kind, any, none }: Wanted) => {
    const values = valuesOf[kind](card, now, comments)
    return (
      (any.length === 0 || any.some((value) => values.includes(value))) &&
      !none.some((value) => values.includes(value))
    )
  }
  if (!wanted.every(fits)) return false
  return words.length === 0 || described?.has(card.id) || words.every((word) => textOf(card).includes(word))
}

/** True if only a snooze or hiding keeps the card from being shown. */
export const isOnlyTuckedAway = (card: Described, filters: Filters, now: number): boolean =>
  !filters.showsAll && isTuckedAway(card, now) && matches(card, { ...filters, showsAll: true }, now)

const idOrNone = (id: number | null) => [id === null ? 'none' : String(id)]

/** The values of a kind that a card has, as in the address. */
const valuesOf: Record<FilterKind, (card: ListedCard, now: number, comments: Comments) => string[]> = {
  owner: ({ owner_id }) => idOrNone(owner_id),
  status: ({ status }) => [status],
  priority: ({ priority }) => [priority],
  tag: ({ tag_id }) => idOrNone(tag_id),
  type: ({ card_type }) => [card_type],
  due(card, now) {
    const bucket = dueBucketOf(card, now, midnight)
    if (bucket === 'today') return ['today', 'week']
    // What was due earlier today is due today as well.
    if (bucket === 'overdue' && dueTime(card) >= midnight(0, now)) return ['overdue', 'today']
    return bucket === undefined ? [] : [bucket]
  },
  created({ created_at }, now) {
    const at = Date.parse(created_at)
    return Object.entries(createdDays)
      .filter(([, days]) => at >= midnight(1 - days, now))
      .map(([name]) => name)
  },
  has({ id }, _now, comments) {
    const counts = comments.get(id)
    if (!counts) return []
    return counts.unread_count > 0 ? ['comments', 'unread'] : ['comments']
  },
}

/** How many days, with today. */
export const createdDays = { today: 1, week: 7, month: 30 }
