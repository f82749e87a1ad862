// Selects cards by click and by key; lasso.ts does it with a rectangle.
import type { KeyboardEvent, MouseEvent } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { counted } from '../../words/words.ts'
import type { Card } from '../types.ts'
import { isArrow, neighbor } from './keyboard.ts'
import type { Selection } from './selection.ts'
import type { Stage } from './stage.ts'

/** The visible cards from column to column. */
export function orderOf({ now }: Stage): number[] {
  const { board, visible } = now()
  return board.groups.flatMap(({ id, is_collapsed }) =>
    is_collapsed ? [] : (visible.get(id) ?? []).flatMap((card) => (card.id > 0 ? [card.id] : [])),
  )
}

export function announceSelection(selection: Selection) {
  announce(counted(selection.ids().size, { one: '{count} card selected', other: '{count} cards selected' }))
}

const without = (selection: Selection, id: number) => [...selection.ids()].filter((other) => other !== id)

export function toggle(selection: Selection, id: number) {
  const others = without(selection, id)
  selection.set(selection.ids().has(id) ? others : [...others, id])
  announceSelection(selection)
}

/** Selects what lies between the card that was selected last and this one. */
function extendTo(selection: Selection, id: number, order: readonly number[]) {
  const last = [...selection.ids()].at(-1) ?? id
  const places = [order.indexOf(last), order.indexOf(id)].map((place) => Math.max(place, 0))
  const between = order.slice(Math.min(...places), Math.max(...places) + 1)
  // The same one stays the last, so that another click changes the end of the range.
  selection.set([...without(selection, last), ...between.filter((other) => other !== last), last])
  announceSelection(selection)
}

/** Ctrl or Cmd adds a card to the selection or takes it out, Shift all cards up to it; so does a tap while cards are selected. */
export function onCardClick(stage: Stage, selection: Selection, event: MouseEvent, cardId: number) {
  const isTap = (event.nativeEvent as PointerEvent).pointerType === 'touch' && selection.ids().size > 0
  if (event.shiftKey) extendTo(selection, cardId, orderOf(stage))
  else if (event.ctrlKey || event.metaKey || isTap) toggle(selection, cardId)
  else {
    if (selection.ids().size > 0) selection.set([])
    return
  }
  event.preventDefault()
  event.stopPropagation()
}

/** True if the key was for the selection. */
export function onSelectionKey(
  stage: Stage,
  selection: Selection,
  { key, shiftKey }: KeyboardEvent,
  card: Card,
): boolean {
  if (key === 'x') toggle(selection, card.id)
  else if (shiftKey && isArrow(key)) {
    const { board, visible } = stage.now()
    const next = neighbor(board, visible, card, key)
    if (!next) return true
    // Back over a selected card takes the last one out.
    const isBack = selection.ids().has(card.id) && selection.ids().has(next.id)
    selection.set(isBack ? without(selection, card.id) : [...without(selection, card.id), card.id, next.id])
    announceSelection(selection)
    stage.focusCard(next.id)
  } else return false
  return true
}
