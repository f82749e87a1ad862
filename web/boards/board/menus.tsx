import {
  ArrowDown,
  ArrowDownToLine,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ArrowUpToLine,
  Eye,
  EyeOff,
  FoldHorizontal,
  MoonStar,
  Palette,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Card } from '../../data/types.ts'
import { counted } from '../../ui/counted.ts'
import { inDays } from '../../ui/days.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Dot } from '../../ui/signs.tsx'
import { showToast } from '../../ui/toast.tsx'
import { cardOf, groupOf, isSnoozed } from '../arrangement.ts'
import type { CardActions } from '../card/card-actions.ts'
import type { Stage } from './stage.ts'

export function cardMenuEntries({ now, cards: actions, move }: Stage, cardId: number): MenuEntry[] {
  const { board, visible, refusal, deleteRefusal, ownEntries } = now()
  const card = cardOf(board, cardId)
  const group = groupOf(board, cardId)
  if (!card || !group) return []
  const cards = visible.get(group.id) ?? []
  const place = cards.findIndex(({ id }) => id === cardId)
  const isFirst = place <= 0
  const isLast = place === cards.length - 1
  const to = (index: number) => move(cardId, { groupId: group.id, before: cards[index]?.id ?? null })
  const first = refusal ?? (isFirst ? 'It is the first card already.' : undefined)
  const last = refusal ?? (isLast ? 'It is the last card already.' : undefined)
  return [
    { label: 'Move up', icon: <ArrowUp />, refusal: first, onSelect: () => to(place - 1) },
    { label: 'Move down', icon: <ArrowDown />, refusal: last, onSelect: () => to(place + 2) },
    { label: 'Move to the top', icon: <ArrowUpToLine />, refusal: first, onSelect: () => to(0) },
    {
      label: 'Move to the bottom',
      icon: <ArrowDownToLine />,
      refusal: last,
      onSelect: () => to(cards.length),
    },
    { section: 'Move to' },
    ...board.groups
      .filter(({ id }) => id !== group.id)
      .map(({ id, title, color }) => ({
        label: title,
        icon: <Dot color={color} />,
        refusal,
        onSelect: () => move(cardId, { groupId: id, before: null }),
      })),
    'line',
    ...ownEntries(card),
    'line',
    {
      label: 'Delete',
      icon: <Trash2 />,
      hint: 'Del',
      isDanger: true,
      refusal: deleteRefusal(card),
      onSelect: () => actions.remove(card),
    },
  ]
}

/** Takes a card out of sight, or brings it back; each can be undone. */
export function tuckAwayEntries(card: Card, actions: CardActions, refusal: string | undefined): MenuEntry[] {
  const { id, snoozed_until, is_active } = card
  const entry = (label: string, icon: ReactNode, told: string, fields: Partial<Card>): MenuEntry => ({
    label,
    icon,
    refusal,
    onSelect() {
      const saved = actions.save({ id, ...fields })
      saved.catch(showToast(`${told} ${card.title}`, () => actions.update({ id, snoozed_until, is_active })))
    },
  })
  const snooze = (days: number) => ({ snoozed_until: inDays(days) })
  return [
    ...(isSnoozed(card)
      ? [entry('Wake up now', <MoonStar />, 'Woke up', { snoozed_until: null })]
      : [
          entry('Snooze for a day', <MoonStar />, 'Snoozed for a day:', snooze(1)),
          entry('Snooze for a week', <MoonStar />, 'Snoozed for a week:', snooze(7)),
        ]),
    is_active
      ? entry('Dismiss', <EyeOff />, 'Dismissed', { is_active: false })
      : entry('Bring back', <Eye />, 'Brought back', { is_active: true }),
  ]
}

export function groupMenuEntries({ now, groups: actions }: Stage, groupId: number): MenuEntry[] {
  const { board, refusal, manageRefusal } = now()
  const place = board.groups.findIndex(({ id }) => id === groupId)
  const group = board.groups[place]
  if (!group) return []
  return [
    ...(actions.collapse
      ? [
          {
            label: group.is_collapsed ? 'Expand' : 'Collapse',
            icon: group.is_collapsed ? <UnfoldHorizontal /> : <FoldHorizontal />,
            refusal,
            onSelect: () => actions.collapse?.(groupId, !group.is_collapsed),
          },
        ]
      : []),
    ...(actions.openSettings
      ? [
          {
            label: 'Colour and description',
            icon: <Palette />,
            onSelect: () => actions.openSettings?.(groupId),
          },
        ]
      : []),
    {
      label: 'Move left',
      icon: <ArrowLeft />,
      refusal: refusal ?? (place === 0 ? 'It is the first group already.' : undefined),
      onSelect: () => actions.move(board, groupId, place),
    },
    {
      label: 'Move right',
      icon: <ArrowRight />,
      refusal: refusal ?? (place === board.groups.length - 1 ? 'It is the last group already.' : undefined),
      onSelect: () => actions.move(board, groupId, place + 2),
    },
    'line',
    {
      label: group.cards.length === 0 ? 'Delete' : `Delete with its ${counted(group.cards.length, 'card')}`,
      icon: <Trash2 />,
      isDanger: true,
      refusal: manageRefusal,
      onSelect: () => actions.remove(group),
    },
  ]
}
