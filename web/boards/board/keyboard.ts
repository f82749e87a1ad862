// Moves by keyboard: Space lifts, the arrow keys choose the position, Space or Enter drops, Esc cancels.

import { announce } from '../../ui/announcer.tsx'
import { t } from '../../words/words.ts'
import type { Landing } from '../arrangement.ts'
import type { Arranged, Card } from '../types.ts'
import type { Visible } from './stage.ts'

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

export const isArrow = (key: string): key is Arrow => key.startsWith('Arrow')

/** The card next to another in the direction of an arrow key. */
export function neighbor(board: Arranged, visible: Visible, card: Card, arrow: Arrow): Card | undefined {
  const cards = visible.get(card.group_id as number) ?? []
  const place = cards.findIndex(({ id }) => id === card.id)
  if (arrow === 'ArrowUp') return cards[place - 1]
  if (arrow === 'ArrowDown') return cards[place + 1]
  const open = board.groups.filter((group) => !group.is_collapsed && (visible.get(group.id)?.length ?? 0) > 0)
  const column = open.findIndex(({ id }) => id === card.group_id)
  const next = open[column + (arrow === 'ArrowLeft' ? -1 : 1)]
  const others = next && visible.get(next.id)
  return others?.[Math.min(place, others.length - 1)]
}

/** The next position of a lifted card in the direction of an arrow key. */
export function nextLanding(
  board: Arranged,
  visible: Visible,
  cardId: number,
  landing: Landing,
  arrow: Arrow,
): Landing {
  const others = (groupId: number) => (visible.get(groupId) ?? []).filter(({ id }) => id !== cardId)
  const here = others(landing.groupId)
  const found = here.findIndex(({ id }) => id === landing.before)
  const place = found === -1 ? here.length : found
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const next = Math.min(Math.max(place + (arrow === 'ArrowUp' ? -1 : 1), 0), here.length)
    return { ...landing, before: here[next]?.id ?? null }
  }
  const column = board.groups.findIndex(({ id }) => id === landing.groupId)
  const next = board.groups[column + (arrow === 'ArrowLeft' ? -1 : 1)]
  if (!next) return landing
  return { groupId: next.id, before: others(next.id)[place]?.id ?? null }
}

/** Announces where a lifted card would land. */
export function announceLanding(
  board: Arranged,
  visible: Visible,
  cardId: number,
  { groupId, before }: Landing,
) {
  const group = board.groups.find(({ id }) => id === groupId)
  const others = (visible.get(groupId) ?? []).filter(({ id }) => id !== cardId)
  const found = others.findIndex(({ id }) => id === before)
  const place = (found === -1 ? others.length : found) + 1
  announce(
    t('Position {position} of {count} in {group}.', {
      position: place,
      count: others.length + 1,
      group: group?.title ?? '',
    }),
  )
}
