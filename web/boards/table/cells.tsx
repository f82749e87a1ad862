import { Calendar, CircleUser, Tag as TagIcon } from 'lucide-react'
import { priorities } from '#boards/card/priorities.ts'
import { Avatar } from '../../ui/avatar.tsx'
import type { Choice } from '../../ui/picker.tsx'
import { OptionalSign, Sign } from '../../ui/sign.tsx'
import { dayName } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import type { DueText } from '../card/card-face.tsx'
import { typeNames } from '../filter/choices.tsx'
import type { Listing } from '../listing.ts'
import { knownStatuses, PrioritySign, priorityNames, StatusSign, statusName } from '../signs.tsx'
import type { Card, ListedCard, Priority } from '../types.ts'
import { type ColumnId, type Grouping, valueIn } from './rows.ts'

export const columnNames: Record<ColumnId | 'title', string> = {
  title: t('Title'),
  status: t('Status'),
  priority: t('Priority'),
  owner: t('Assignee'),
  tag: t('Tag'),
  due: t('Due date'),
  board: t('Board'),
  group: t('Group'),
  created: t('Created'),
  updated: t('Changed'),
  type: t('Type'),
}

/** A value of a card that is chosen from a list: how it is shown, what can be chosen, and the fields that it changes. */
interface Chosen {
  show(value: string | number | null, listing: Listing): Shown
  choices(listing: Listing, card: ListedCard): Choice<string | number>[]
  change(id: string | number): Partial<Card>
}

/** A value as people see it. */
export interface Shown {
  text: string
  /** For screen readers, where the text says less. */
  name?: string
  icon?: Choice<string>['icon']
  tip?: string
  /** A row has no room for what is not there, and fast scrolling no time for its icons. */
  isAbsent?: boolean
  isLate?: boolean
}

/** Stands for no assignee and no tag. */
export const nothing = 0
const idOrNull = (id: string | number) => (id === nothing ? null : (id as number))

export const chosenColumns: Record<Grouping, Chosen> = {
  status: {
    show: (status) => ({ text: statusName(String(status)), icon: <StatusSign status={String(status)} /> }),
    choices: (_listing, { status }) =>
      [...new Set([...knownStatuses, status])].map((id) => ({
        id,
        label: statusName(id),
        icon: <StatusSign status={id} />,
      })),
    change: (status) => ({ status: String(status) }),
  },
  priority: {
    show: (priority) => ({
      text: priorityNames[priority as Priority],
      icon: <PrioritySign priority={priority as Priority} isNamed={false} />,
    }),
    choices: () =>
      priorities.toReversed().map((id) => ({
        id,
        label: priorityNames[id],
        icon: <PrioritySign priority={id} isNamed={false} />,
      })),
    change: (priority) => ({ priority: priority as Priority }),
  },
  owner: {
    show(id, { members }) {
      if (id === null) return { text: t('Unassigned'), icon: <CircleUser />, isAbsent: true }
      const member = members.get(id as number)
      return member
        ? { text: member.name, icon: <Avatar id={member.user_id} name={member.name} /> }
        : { text: '…' }
    },
    choices: ({ members }) => [
      { id: nothing, label: t('Unassigned') },
      ...[...members.values()].map(({ user_id, name }) => ({
        id: user_id,
        label: name,
        icon: <Avatar id={user_id} name={name} />,
      })),
    ],
    change: (id) => ({ owner_id: idOrNull(id) }),
  },
  tag: {
    show(id, { tags }) {
      const tag = id === null ? undefined : tags.get(id as number)
      return tag
        ? { text: tag.name, icon: <Sign icon={tag.icon} color={tag.color} /> }
        : { text: t('No tag'), icon: <TagIcon />, isAbsent: true }
    },
    choices: ({ tags }, { tag_id }) => [
      { id: nothing, label: t('No tag') },
      ...[...tags.values()]
        .filter(({ id, is_active }) => is_active || id === tag_id)
        .map(({ id, name, color, icon }) => ({ id, label: name, icon: <Sign icon={icon} color={color} /> })),
    ],
    change: (id) => ({ tag_id: idOrNull(id) }),
  },
  group: {
    show(id, { groups }) {
      const group = groups.get(id as number)
      return { text: group?.title ?? '', icon: group && <Sign icon={group.icon} color={group.color} /> }
    },
    choices: ({ groups }) =>
      [...groups.values()].map(({ id, title, icon, color }) => ({
        id,
        label: title,
        icon: <Sign icon={icon} color={color} />,
      })),
    change: (id) => ({ group_id: id as number }),
  },
}

export const isChosen = (column: ColumnId): column is Grouping => column in chosenColumns

/** The value of a column; undefined if the card has none. */
export function shownIn(
  column: ColumnId,
  card: ListedCard,
  listing: Listing,
  due: DueText | undefined,
): Shown | undefined {
  if (column === 'due')
    return (
      due && {
        text: due.day,
        name: due.isLate ? t('{day} (overdue)', { day: due.day }) : due.day,
        icon: <Calendar />,
        tip: due.tip,
        isLate: due.isLate,
      }
    )
  if (column === 'created') return { text: dayName(card.created_at) }
  if (column === 'updated') return { text: dayName(card.updated_at) }
  if (column === 'type') return { text: typeNames[card.card_type] }
  if (column === 'board') {
    const board = listing.groups.get(card.group_id as number)?.board
    return board && { text: board.title, icon: <OptionalSign icon={board.icon} color={board.color} /> }
  }
  return chosenColumns[column].show(valueIn(column, card), listing)
}
