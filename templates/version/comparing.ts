// The difference between two states of a template: what was added, removed, moved and changed, field by field.
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import { longestRising } from '../ranks.ts'
import { boardFields, cardFields, groupFields } from '../rules.ts'
import type { CardContent, GroupContent, TemplateContent } from './version.ts'

const changedCardFields = [...cardFields, 'status', 'is_active'] as const
const fieldNames = [...new Set([...boardFields, ...groupFields, ...changedCardFields])]

/** How one field differs. */
export const fieldChange = record({
  field: oneOf(fieldNames),
  before: nullable(text({ about: 'The value before; `true` or `false` for a flag.' })),
  after: nullable(text({ about: 'The value after; `true` or `false` for a flag.' })),
})

/** How one thing of a template differs. */
export const difference = record({
  thing: oneOf(['template', 'group', 'card']),
  id: nullable(integer({ about: 'The id of the template group or card; null for the template itself.' })),
  change: oneOf(['added', 'removed', 'changed']),
  title: text({ about: 'Its newer title.' }),
  /** The group of a card before and after; null where it has none. */
  group_before: nullable(text()),
  group_after: nullable(text()),
  is_moved: flag({ about: 'Whether it has another place among the others, or another group.' }),
  fields: list(fieldChange),
})

export type Difference = (typeof difference)['static']
type FieldChange = Difference['fields'][number]
type Value = string | boolean | null

interface Thing {
  id: number
  title: string
}

/** What leads from one state to the other: the template itself, then its groups and cards in their order, then what is gone. */
export function compare(before: TemplateContent, after: TemplateContent): Difference[] {
  const fields = changesIn(boardFields, before, after)
  const template: Difference[] =
    fields.length === 0
      ? []
      : [{ ...whole, thing: 'template', id: null, change: 'changed', title: after.title, fields }]
  return [...template, ...compareGroups(before.groups, after.groups), ...compareCards(before, after)]
}

const whole = { group_before: null, group_after: null, is_moved: false } as const

function compareGroups(before: readonly GroupContent[], after: readonly GroupContent[]): Difference[] {
  const moved = movedIds(before, after)
  return pairs(before, after).flatMap(([was, now]) => {
    const fields = changesIn(groupFields, was, now)
    const { id, title } = (now ?? was) as GroupContent
    const isMoved = moved.has(id)
    if (was && now && fields.length === 0 && !isMoved) return []
    return [
      { ...whole, thing: 'group' as const, id, change: changeOf(was, now), title, is_moved: isMoved, fields },
    ]
  })
}

interface Placed {
  card: CardContent
  group: GroupContent
}

const placedCards = ({ groups }: TemplateContent): (Thing & Placed)[] =>
  groups.flatMap((group) => group.cards.map((card) => ({ id: card.id, title: card.title, card, group })))

function compareCards(before: TemplateContent, after: TemplateContent): Difference[] {
  const groupsBefore = new Map(before.groups.map((group) => [group.id, group.cards]))
  const moved = new Set(
    after.groups.flatMap((group) => [...movedIds(groupsBefore.get(group.id) ?? [], group.cards)]),
  )
  return pairs(placedCards(before), placedCards(after)).flatMap(([was, now]) => {
    const fields = changesIn(changedCardFields, was?.card, now?.card)
    const { id, title } = (now ?? was) as Thing
    const isMoved = was !== undefined && now !== undefined && (was.group.id !== now.group.id || moved.has(id))
    if (was && now && fields.length === 0 && !isMoved) return []
    const groups = { group_before: was?.group.title ?? null, group_after: now?.group.title ?? null }
    return [
      { thing: 'card' as const, id, change: changeOf(was, now), title, ...groups, is_moved: isMoved, fields },
    ]
  })
}

const changeOf = (was: unknown, now: unknown) => (!was ? 'added' : !now ? 'removed' : 'changed')

/** Each thing before and after, in the newer order, followed by the ones that are gone. */
function pairs<Entry extends Thing>(
  before: readonly Entry[],
  after: readonly Entry[],
): [Entry | undefined, Entry | undefined][] {
  const olds = new Map(before.map((entry) => [entry.id, entry]))
  const news = new Set(after.map(({ id }) => id))
  return [
    ...after.map((now): [Entry | undefined, Entry] => [olds.get(now.id), now]),
    ...before.filter(({ id }) => !news.has(id)).map((was): [Entry, undefined] => [was, undefined]),
  ]
}

/** The fewest entries of both lists that have to move to turn one order into the other. */
function movedIds(before: readonly Thing[], after: readonly Thing[]): Set<number> {
  const places = new Map(before.map(({ id }, place) => [id, place]))
  const kept = after.filter(({ id }) => places.has(id)).map(({ id }) => ({ id, rank: places.get(id) }))
  const rising = longestRising(kept)
  return new Set(kept.filter((_, place) => !rising.has(place)).map(({ id }) => id))
}

/** A thing that is new or gone shows all fields that it has. */
export function changesIn<Name extends FieldChange['field']>(
  names: readonly Name[],
  before: Readonly<Record<Name, Value>> | undefined,
  after: Readonly<Record<Name, Value>> | undefined,
): FieldChange[] {
  const shown = (value: Value | undefined) => (value === undefined || value === null ? null : String(value))
  return names
    .map((field) => ({ field, before: shown(before?.[field]), after: shown(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}
