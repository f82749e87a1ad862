import {
  CalendarPlus,
  ChevronsUp,
  CircleDashed,
  CircleUser,
  MoonStar,
  Tag as TagIcon,
  UserCheck,
} from 'lucide-react'
import type { CommandChoice, CommandSection } from '../../ui/commands.ts'
import { dates } from '../../ui/date/date-words.ts'
import type { MenuAction } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import { due, snooze } from '../card/moment.tsx'
import type { Listing } from '../listing.ts'
import type { Card, ListedCard } from '../types.ts'
import { chosenColumns, columnNames, nothing } from './cells.tsx'

interface Context {
  listing: Listing
  refusal: string | undefined
  onChange(card: ListedCard, fields: Partial<Card>): void
}

const columns = [
  ['owner', 'a', <CircleUser key="owner" />],
  ['tag', 't', <TagIcon key="tag" />],
  ['priority', 'p', <ChevronsUp key="priority" />],
  ['status', 's', <CircleDashed key="status" />],
] as const

/** The fields of a card in the command menu, each of which asks for its value. */
export function fieldCommands(
  card: ListedCard,
  { listing, refusal, onChange }: Context,
): CommandSection['entries'] {
  const moment = (of: typeof due, key: string, icon: CommandChoice['icon']): CommandChoice => ({
    key,
    label: `${of.name}…`,
    icon,
    refusal,
    choices(text) {
      const set = (label: string, typed: Parameters<typeof of.write>[0]): MenuAction => ({
        label,
        icon,
        refusal: typed ? of.refusalOf?.(typed) : undefined,
        onSelect: () => onChange(card, of.write(typed)),
      })
      if (text.trim() !== '') {
        const typed = dates.read(text)
        return typed ? [set(dates.full(typed), typed)] : []
      }
      return [
        ...of.suggestions().map(({ label, typed }) => set(label, typed)),
        ...(of.read(card) === null ? [] : [set(of.remove, null)]),
      ]
    },
  })
  return [
    ...columns.map(([column, key, icon]) => ({
      key,
      label: `${columnNames[column]}…`,
      icon,
      refusal,
      choices: chosenColumns[column].choices(listing, card).map((choice) => ({
        label: choice.label,
        ...(column === 'owner' &&
          choice.id !== nothing && { fullLabel: t('Assign to {name}', { name: choice.label }) }),
        icon: choice.icon,
        onSelect: () => onChange(card, chosenColumns[column].change(choice.id)),
      })),
    })),
    ...(listing.members.has(listing.myId)
      ? [
          {
            key: 'i',
            label: t('Assign to me'),
            icon: <UserCheck />,
            refusal,
            onSelect: () => onChange(card, { owner_id: listing.myId }),
          },
        ]
      : []),
    moment(due, 'd', <CalendarPlus />),
    moment(snooze, 'z', <MoonStar />),
  ]
}
