import {
  Archive,
  ArrowDown,
  ArrowDownToLine,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ArrowUpToLine,
  FoldHorizontal,
  ListRestart,
  Palette,
  Trash2,
  UnfoldHorizontal,
} from 'lucide-react'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Sign } from '../../ui/sign.tsx'
import { counted, t } from '../../words/words.ts'
import { cardOf, groupOf } from '../arrangement.ts'
import type { Stage } from './stage.ts'

export function cardMenuEntries({ now, cards: actions, move }: Stage, cardId: number): MenuEntry[] {
  const { board, visible, refusal, deleteRefusal, ownEntries, tools } = now()
  const card = cardOf(board, cardId)
  const group = groupOf(board, cardId)
  if (!card || !group) return []
  const cards = visible.get(group.id) ?? []
  const place = cards.findIndex(({ id }) => id === cardId)
  const isFirst = place <= 0
  const isLast = place === cards.length - 1
  const to = (index: number) => move(cardId, { groupId: group.id, before: cards[index]?.id ?? null })
  const first = refusal ?? (isFirst ? t('This is already the first card.') : undefined)
  const last = refusal ?? (isLast ? t('This is already the last card.') : undefined)
  return [
    { label: t('Move up'), icon: <ArrowUp />, refusal: first, onSelect: () => to(place - 1) },
    { label: t('Move down'), icon: <ArrowDown />, refusal: last, onSelect: () => to(place + 2) },
    { label: t('Move to top'), icon: <ArrowUpToLine />, refusal: first, onSelect: () => to(0) },
    {
      label: t('Move to bottom'),
      icon: <ArrowDownToLine />,
      refusal: last,
      onSelect: () => to(cards.length),
    },
    { section: t('Move to') },
    ...board.groups
      .filter(({ id }) => id !== group.id)
      .map(({ id, title, icon, color }) => ({
        label: title,
        fullLabel: t('Move to {group}', { group: title }),
        icon: <Sign icon={icon} color={color} />,
        refusal,
        onSelect: () => move(cardId, { groupId: id, before: null }),
      })),
    'line',
    ...(tools?.current?.entries(card) ?? []),
    ...ownEntries(card),
    'line',
    {
      label: t('Delete'),
      icon: <Trash2 />,
      hint: t('Del'),
      isDanger: true,
      refusal: deleteRefusal(card),
      onSelect: () => actions.remove(card),
    },
  ]
}

export function groupMenuEntries({ now, groups: actions }: Stage, groupId: number): MenuEntry[] {
  const { board, refusal, manageRefusal, collapseRefusal } = now()
  const place = board.groups.findIndex(({ id }) => id === groupId)
  const group = board.groups[place]
  if (!group) return []
  return [
    {
      label: group.is_collapsed ? t('Expand') : t('Collapse'),
      icon: group.is_collapsed ? <UnfoldHorizontal /> : <FoldHorizontal />,
      refusal: collapseRefusal,
      onSelect: () => actions.collapse(groupId, !group.is_collapsed),
    },
    { label: t('Group settings…'), icon: <Palette />, onSelect: () => actions.openSettings(groupId) },
    ...(actions.restoreOrder
      ? [
          {
            label: group.master_group_id === null ? t('Restore original order') : t('Restore template order'),
            icon: <ListRestart />,
            refusal: refusal ?? (group.cards.length < 2 ? t('There is nothing to sort.') : undefined),
            onSelect: () => actions.restoreOrder?.(group),
          },
        ]
      : []),
    {
      label: t('Move left'),
      icon: <ArrowLeft />,
      refusal: refusal ?? (place === 0 ? t('This is already the first group.') : undefined),
      onSelect: () => actions.move(board, groupId, place),
    },
    {
      label: t('Move right'),
      icon: <ArrowRight />,
      refusal:
        refusal ?? (place === board.groups.length - 1 ? t('This is already the last group.') : undefined),
      onSelect: () => actions.move(board, groupId, place + 2),
    },
    'line',
    ...(actions.archive
      ? [
          {
            label: t('Archive group'),
            icon: <Archive />,
            refusal: manageRefusal,
            onSelect: () => actions.archive?.(group),
          },
        ]
      : []),
    {
      label:
        group.cards.length === 0
          ? t('Delete group')
          : counted(group.cards.length, {
              one: 'Delete group and {count} card',
              other: 'Delete group and {count} cards',
            }),
      icon: <Trash2 />,
      isDanger: true,
      refusal: manageRefusal,
      onSelect: () => actions.remove(group),
    },
  ]
}
