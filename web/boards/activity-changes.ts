import { dueOnDay, dueTime } from '#boards/card/due.ts'
import type { Member } from '../projects/types.ts'
import { dateInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { priorityNames, statusName } from './signs.tsx'
import type { Board } from './types.ts'

/** What an update changed. */
export interface Changes {
  changes?: Record<string, Change>
  /** Long texts that changed, by name. */
  texts?: string[]
}

interface Change {
  from: unknown
  to: unknown
}

/** What changed about a thing, as one phrase; after the first change the thing is "it". */
export function changed(
  { changes = {}, texts = [] }: Changes,
  thing: string,
  board: Board,
  members: readonly Member[],
): string {
  const { due_date, due_is_date, ...others } = changes
  // Both say what one phrase says.
  const due = due_date ? { due_date } : { ...(due_is_date && { due_is_date }) }
  // Where it has not changed, the stored time tells.
  const to = String(due_date?.to)
  const dueIsDate = due_is_date ? due_is_date.to === true : to === dueOnDay(to)
  const context = { board, members, dueIsDate }
  const phrases = [
    ...Object.entries({ ...others, ...due }).map(
      ([field, change]) =>
        (it?: string) =>
          (phraseOf[field] ?? otherField(field))(change, it, context),
    ),
    ...texts.map((name) => (it?: string) => {
      const field = fieldName(name)
      return it === undefined
        ? t('edited its {field}', { field })
        : t('edited the {field} of {thing}', { field, thing: it })
    }),
  ]
  const [first, ...rest] = phrases
  if (!first) return t('edited {thing}', { thing })
  return [first(thing), ...rest.map((phrase) => phrase())].join(', ')
}

interface Context {
  board: Board
  members: readonly Member[]
  dueIsDate: boolean
}

/** The thing is undefined after the first change. */
type Phrase = (change: Change, thing: string | undefined, context: Context) => string

const phraseOf: Record<string, Phrase> = {
  status({ to }, thing) {
    const status = statusName(String(to))
    return thing === undefined
      ? t('set its status to {status}', { status })
      : t('set the status of {thing} to {status}', { thing, status })
  },
  priority({ to }, thing) {
    const priority = priorityNames[to as keyof typeof priorityNames]
    return thing === undefined
      ? t('set its priority to {priority}', { priority })
      : t('set the priority of {thing} to {priority}', { thing, priority })
  },
  title({ from, to }, thing) {
    const title = String(to)
    if (from) return t('renamed “{from}” to “{title}”', { from: String(from), title })
    return thing === undefined
      ? t('renamed it to “{title}”', { title })
      : t('renamed {thing} to “{title}”', { thing, title })
  },
  owner_id({ to }, thing, { members }) {
    if (to === null) return thing === undefined ? t('unassigned it') : t('unassigned {thing}', { thing })
    const name = members.find(({ user_id }) => user_id === to)?.name ?? t('someone')
    return thing === undefined
      ? t('assigned it to {name}', { name })
      : t('assigned {thing} to {name}', { thing, name })
  },
  tag_id({ to }, thing, { board }) {
    if (to === null)
      return thing === undefined ? t('removed the tag from it') : t('removed the tag from {thing}', { thing })
    const tag = board.tags.find(({ id }) => id === to)?.name ?? t('a deleted tag')
    return thing === undefined
      ? t('set its tag to {tag}', { tag })
      : t('set the tag of {thing} to {tag}', { thing, tag })
  },
  due_date({ to }, thing, { dueIsDate }) {
    if (to === null)
      return thing === undefined
        ? t('removed the due date from it')
        : t('removed the due date from {thing}', { thing })
    const end = dueTime({ due_date: String(to), due_is_date: dueIsDate })
    const day = dateInText(new Date(end).toISOString(), !dueIsDate)
    return thing === undefined
      ? t('set its due date to {day}', { day })
      : t('set the due date of {thing} to {day}', { thing, day })
  },
  snoozed_until({ to }, thing) {
    if (to === null)
      return thing === undefined
        ? t('removed the snooze from it')
        : t('removed the snooze from {thing}', { thing })
    const day = dateInText(String(to), true)
    return thing === undefined
      ? t('snoozed it until {day}', { day })
      : t('snoozed {thing} until {day}', { thing, day })
  },
  is_collapsed({ to }, thing) {
    if (thing === undefined) return to ? t('collapsed it') : t('expanded it')
    return to ? t('collapsed {thing}', { thing }) : t('expanded {thing}', { thing })
  },
  done_closes_cards: ({ to }) =>
    to
      ? t('let done groups close the cards moved into them')
      : t('let cards moved into done groups keep their status'),
  is_active({ to }, thing) {
    if (thing === undefined) return to ? t('showed it again') : t('hid it')
    return to ? t('showed {thing} again', { thing }) : t('hid {thing}', { thing })
  },
}

const otherField =
  (name: string): Phrase =>
  (_change, thing) => {
    const field = fieldName(name)
    return thing === undefined
      ? t('changed its {field}', { field })
      : t('changed the {field} of {thing}', { field, thing })
  }

const fieldNames: Record<string, string> = {
  title: t('title', { as: 'after the' }),
  description: t('description', { as: 'after the' }),
  short_description: t('short description', { as: 'after the' }),
  due_is_date: t('due date', { as: 'after the' }),
  position: t('position', { as: 'after the' }),
  icon: t('icon', { as: 'after the' }),
  color: t('color', { as: 'after the' }),
  type: t('type', { as: 'after the' }),
}

const fieldName = (field: string) => fieldNames[field] ?? field.replaceAll('_', ' ')
