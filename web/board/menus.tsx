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
  Trash2,
} from 'lucide-react'
import type { MenuEntry } from '../ui/menu.tsx'
import { Dot } from '../ui/signs.tsx'
import { cardOf, groupOf } from './arrangement.ts'
import type { Stage } from './stage.ts'

const dayMilliseconds = 86_400_000

export function cardMenuEntries({ now, cards: actions, move }: Stage, cardId: number): MenuEntry[] {
  const { board, visible, refusal, deleteRefusal } = now()
  const card = cardOf(board, cardId)
  const group = groupOf(board, cardId)
  if (!card || !group) return []
  const cards = visible.get(group.id) ?? []
  const place = cards.findIndex(({ id }) => id === cardId)
  const isFirst = place <= 0
  const isLast = place === cards.length - 1
  const to = (index: number) => move(cardId, { groupId: group.id, before: cards[index]?.id ?? null })
  const isSnoozed = card.snoozed_until !== null && new Date(card.snoozed_until).getTime() > Date.now()
  const snooze = (days: number) =>
    actions.update({ id: cardId, snoozed_until: new Date(Date.now() + days * dayMilliseconds).toISOString() })
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
    isSnoozed
      ? {
          label: 'Wake up now',
          icon: <MoonStar />,
          refusal,
          onSelect: () => actions.update({ id: cardId, snoozed_until: null }),
        }
      : { label: 'Snooze for a day', icon: <MoonStar />, refusal, onSelect: () => snooze(1) },
    ...(isSnoozed
      ? []
      : [{ label: 'Snooze for a week', icon: <MoonStar />, refusal, onSelect: () => snooze(7) }]),
    card.is_active
      ? {
          label: 'Dismiss',
          icon: <EyeOff />,
          refusal,
          onSelect: () => actions.update({ id: cardId, is_active: false }),
        }
      : {
          label: 'Bring back',
          icon: <Eye />,
          refusal,
          onSelect: () => actions.update({ id: cardId, is_active: true }),
        },
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

export function groupMenuEntries({ now, groups: actions }: Stage, groupId: number): MenuEntry[] {
  const { board, refusal, manageRefusal } = now()
  const place = board.groups.findIndex(({ id }) => id === groupId)
  const group = board.groups[place]
  if (!group) return []
  return [
    { label: 'Collapse', icon: <FoldHorizontal />, refusal, onSelect: () => actions.collapse(groupId, true) },
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
      label: `Delete with its ${group.cards.length} ${group.cards.length === 1 ? 'card' : 'cards'}`,
      icon: <Trash2 />,
      isDanger: true,
      refusal: manageRefusal,
      onSelect: () => actions.remove(groupId),
    },
  ]
}
