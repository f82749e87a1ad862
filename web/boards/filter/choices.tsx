import {
  Calendar,
  CalendarPlus,
  CircleUser,
  Eye,
  LayoutTemplate,
  MessageSquare,
  Tag as TagIcon,
  UserRound,
} from 'lucide-react'
import { priorities } from '#boards/card/priorities.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import type { Choice } from '../../ui/picker.tsx'
import { Sign } from '../../ui/sign.tsx'
import { t } from '../../words/words.ts'
import { knownStatuses, PrioritySign, priorityNames, StatusSign, statusName } from '../signs.tsx'
import type { Card, ListedCard, Tag } from '../types.ts'
import type { createdDays, Filter } from './filters.ts'

const dueNames: Record<string, string> = {
  overdue: t('Overdue'),
  today: t('Due today'),
  week: t('Due within 7 days'),
  none: t('No due date'),
}

const createdNames: Record<keyof typeof createdDays, string> = {
  today: t('Today'),
  week: t('Last 7 days'),
  month: t('Last 30 days'),
}

const hasNames: Record<string, string> = {
  comments: t('Has comments'),
  unread: t('Has unread comments'),
}

export const typeNames: Record<Card['card_type'], string> = {
  custom: t('Custom'),
  template: t('Template'),
  tour: t('Tour'),
}

export interface Filterable {
  cards: readonly ListedCard[]
  tags: readonly Tag[]
  members: readonly Member[]
  /** On a board, where it is known which comments are unread, and where snoozed and hidden cards are not shown by themselves. */
  isBoard: boolean
}

export const idOf = ({ kind, value }: Pick<Filter, 'kind' | 'value'>) => `${kind}=${value}`

/** Everything that cards can be filtered by, in sections. */
export function choicesOf({ cards, tags, members, isBoard }: Filterable): Choice<string>[] {
  const used = new Set(cards.map(({ tag_id }) => tag_id))
  const statuses = [...new Set([...knownStatuses, ...cards.map(({ status }) => status)])]
  const named = (
    section: string,
    kind: string,
    names: Record<string, string>,
    icon: Choice<string>['icon'],
  ) => Object.entries(names).map(([value, label]) => ({ id: `${kind}=${value}`, section, label, icon }))
  const tuckedAway = { id: 'show=all', section: t('Show'), label: t('Snoozed and hidden'), icon: <Eye /> }
  return [
    ...(isBoard ? [tuckedAway] : []),
    { id: 'owner=me', section: t('Assignee'), label: t('Me'), icon: <UserRound /> },
    ...members.map(({ user_id, name }) => ({
      id: `owner=${user_id}`,
      section: t('Assignee'),
      label: name,
      icon: <Avatar id={user_id} name={name} />,
    })),
    { id: 'owner=none', section: t('Assignee'), label: t('Unassigned'), icon: <CircleUser /> },
    ...statuses.map((status) => ({
      id: `status=${status}`,
      section: t('Status'),
      label: statusName(status),
      icon: <StatusSign status={status} />,
    })),
    ...tags
      .filter(({ id, is_active }) => is_active || used.has(id))
      .map(({ id, name, color, icon }) => ({
        id: `tag=${id}`,
        section: t('Tag'),
        label: name,
        icon: <Sign icon={icon} color={color} />,
      })),
    { id: 'tag=none', section: t('Tag'), label: t('No tag'), icon: <TagIcon /> },
    ...priorities.toReversed().map((priority) => ({
      id: `priority=${priority}`,
      section: t('Priority'),
      label: priorityNames[priority],
      icon: <PrioritySign priority={priority} isNamed={false} />,
    })),
    ...named(t('Due'), 'due', dueNames, <Calendar />),
    ...named(t('Created'), 'created', createdNames, <CalendarPlus />),
    ...named(t('Comments'), 'has', hasNames, <MessageSquare />).filter(
      ({ id }) => isBoard || id === 'has=comments',
    ),
    ...named(t('Type'), 'type', typeNames, <LayoutTemplate />),
  ]
}

/** The label of a filter whose tag is deleted, whose person is no member, or whose value is not loaded yet. */
export function unknownLabel({ kind, value }: Filter, isLoading: boolean): string {
  if (kind === 'tag') return t('Tag: deleted')
  if (kind === 'owner') return isLoading ? t('Assignee: …') : t('Assignee: removed')
  return statusName(value)
}
