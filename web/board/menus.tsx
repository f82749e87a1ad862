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
import type { Card } from '../data/types.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import { Dot } from '../ui/signs.tsx'
import { cardOf, groupOf } from './arrangement.ts'
import type { CardActions } from './card-actions.ts'
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

const dayMilliseconds = 86_400_000

/** What can be done to a card of a project besides. */
export function tuckAwayEntries(card: Card, actions: CardActions, refusal: string | undefined): MenuEntry[] {
  const isSnoozed = card.snoozed_until !== null && new Date(card.snoozed_until).getTime() > Date.now()
  const snooze = (days: number) =>
    actions.update({
      id: card.id,
      snoozed_until: new Date(Date.now() + days * dayMilliseconds).toISOString(),
    })
  return [
    isSnoozed
      ? {
          label: 'Wake up now',
          icon: <MoonStar />,
          refusal,
          onSelect: () => actions.update({ id: card.id, snoozed_until: null }),
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
          onSelect: () => actions.update({ id: card.id, is_active: false }),
        }
      : {
          label: 'Bring back',
          icon: <Eye />,
          refusal,
          onSelect: () => actions.update({ id: card.id, is_active: true }),
        },
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
            label: 'Collapse',
            icon: <FoldHorizontal />,
            refusal,
            onSelect: () => actions.collapse?.(groupId, true),
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
      label: `Delete with its ${group.cards.length} ${group.cards.length === 1 ? 'card' : 'cards'}`,
      icon: <Trash2 />,
      isDanger: true,
      refusal: manageRefusal,
      onSelect: () => actions.remove(group),
    },
  ]
}
