import { CalendarPlus, ChevronsUp, CircleDashed, CircleUser, MoonStar, Tag as TagIcon } from 'lucide-react'
import type { CommandChoice } from '../../ui/commands.ts'
import { dates } from '../../ui/date/date-words.ts'
import type { MenuAction } from '../../ui/menu.tsx'
import { due, snooze } from '../card/moment.tsx'
import type { Listing } from '../listing.ts'
import type { Card, ListedCard } from '../types.ts'
import { chosenColumns, columnNames } from './cells.tsx'

interface Context {
  listing: Listing
  refusal: string | undefined
  onChange(card: ListedCard, fields: Partial<Card>): void
}

const columns = [
  ['owner', <CircleUser key="owner" />],
  ['tag', <TagIcon key="tag" />],
  ['priority', <ChevronsUp key="priority" />],
  ['status', <CircleDashed key="status" />],
] as const

/** The fields of a card in the command menu, each of which asks for its value. */
export function fieldCommands(card: ListedCard, { listing, refusal, onChange }: Context): CommandChoice[] {
  const moment = (of: typeof due, icon: CommandChoice['icon']): CommandChoice => ({
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
    ...columns.map(([column, icon]) => ({
      label: `${columnNames[column]}…`,
      icon,
      refusal,
      choices: chosenColumns[column].choices(listing, card).map((choice) => ({
        label: choice.label,
        icon: choice.icon,
        onSelect: () => onChange(card, chosenColumns[column].change(choice.id)),
      })),
    })),
    moment(due, <CalendarPlus />),
    moment(snooze, <MoonStar />),
  ]
}
