// Sorts and groups the cards of a table, as pure functions.
import { dueTime } from '#boards/card/due.ts'
import { priorities } from '#boards/card/priorities.ts'
import type { ListedCard } from '../types.ts'

export const columnIds = [
  'status',
  'priority',
  'owner',
  'tag',
  'due',
  'board',
  'group',
  'created',
  'updated',
  'type',
] as const
export type ColumnId = (typeof columnIds)[number]

/** Shown unless the person has chosen others; the board only where cards are of several. */
export const usualColumns: readonly ColumnId[] = [
  'status',
  'priority',
  'owner',
  'tag',
  'due',
  'board',
  'group',
]

/** What cards can be grouped by. */
export const groupings = ['group', 'status', 'priority', 'owner', 'tag'] as const
export type Grouping = (typeof groupings)[number]

export interface Sorting {
  by: ColumnId | 'title'
  isDescending: boolean
}

/** The order of values that have one, and the names of others, by the values of cards. */
export interface Names {
  groups: ReadonlyMap<number, string>
  /** By group. */
  boards: ReadonlyMap<number, string>
  tags: ReadonlyMap<number, string>
  members: ReadonlyMap<number, string>
  statuses: readonly string[]
  compare(a: string, b: string): number
}

/** Undefined sorts last in both directions. */
type Key = string | number | undefined

const nameIn = (names: ReadonlyMap<number, string>, id: number | null): Key =>
  id === null ? undefined : names.get(id)

const placeIn = (all: Iterable<unknown>, value: unknown): Key => {
  const place = [...all].indexOf(value)
  return place === -1 ? undefined : place
}

const keyOf: Record<ColumnId | 'title', (card: ListedCard, names: Names) => Key> = {
  title: ({ title }) => title,
  status: ({ status }, { statuses }) => placeIn(statuses, status) ?? status,
  priority: ({ priority }) => placeIn(priorities, priority),
  owner: ({ owner_id }, { members }) => nameIn(members, owner_id),
  tag: ({ tag_id }, { tags }) => nameIn(tags, tag_id),
  due: (card) => (card.due_date === null ? undefined : dueTime(card)),
  board: ({ group_id }, { boards }) => nameIn(boards, group_id),
  group: ({ group_id }, { groups }) => placeIn(groups.keys(), group_id),
  created: ({ created_at }) => created_at,
  updated: ({ updated_at }) => updated_at,
  type: ({ card_type }) => card_type,
}

/** Cards with equal values keep their order. */
export function sorted<Card extends ListedCard>(
  cards: readonly Card[],
  sorting: Sorting | undefined,
  names: Names,
): readonly Card[] {
  if (!sorting) return cards
  const direction = sorting.isDescending ? -1 : 1
  const keyed = cards.map((card) => ({ card, key: keyOf[sorting.by](card, names) }))
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined)
    return direction * compareKeys(a.key, b.key, names)
  })
  return keyed.map(({ card }) => card)
}

const compareKeys = (a: string | number, b: string | number, { compare }: Names): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))

/** The value of a column that is chosen from a list; null for none. */
export const valueIn = (column: Grouping, card: ListedCard): string | number | null =>
  column === 'owner' || column === 'tag' || column === 'group' ? card[`${column}_id`] : card[column]

export type Row<Card extends ListedCard> =
  | { kind: 'heading'; value: string | number | null; count: number; card: Card }
  | { kind: 'card'; card: Card }

/** Headings in the order of their column, each with its cards. Without a grouping there are only cards. */
export function rowsOf<Card extends ListedCard>(
  cards: readonly Card[],
  grouping: Grouping | undefined,
  names: Names,
): Row<Card>[] {
  if (!grouping) return cards.map((card) => ({ kind: 'card', card }))
  const held = Map.groupBy(cards, (card) => valueIn(grouping, card))
  // The most urgent first, like the choices of a priority.
  const sorting = { by: grouping, isDescending: grouping === 'priority' }
  const firsts = [...held.values()].map(([first]) => first as Card)
  return sorted(firsts, sorting, names).flatMap((first) => {
    const value = valueIn(grouping, first)
    const among = held.get(value) ?? []
    return [
      { kind: 'heading', value, count: among.length, card: first } as const,
      ...among.map((card) => ({ kind: 'card', card }) as const),
    ]
  })
}
