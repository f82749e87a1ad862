// Selects cards by click and by key; board/lasso.ts does it with a rectangle.
import type { KeyboardEvent, MouseEvent, RefObject } from 'react'
import { announce } from '../ui/announcer.tsx'
import { counted } from '../words/words.ts'
import type { Selection } from './selection.ts'

/** A board, a table or a list, in which cards are selected. */
export interface Selectable {
  /** The cards that are shown, in their order. */
  order(): readonly number[]
  /** The card that an arrow key leads to. */
  next(cardId: number, key: string): number | undefined
  focusCard(cardId: number): void
}

/** How the cards of a table or a list are selected. */
export interface Selecting {
  selection: Selection
  /** Set while it is shown. */
  view: RefObject<Selectable | undefined>
  /** True if the key was for all selected cards. */
  onKey(event: KeyboardEvent, cardId: number): boolean
}

/** How a row of a list is selected. */
export interface RowSelecting {
  selection: Selection
  /** Returns a function that removes the link again. */
  addLink(cardId: number, link: HTMLElement): () => void
  onClick(event: MouseEvent, cardId: number): void
  onKey(event: KeyboardEvent, cardId: number): void
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
  // It stays the last, so that the next click changes the other end of the range.
  selection.set([...without(selection, last), ...between.filter((other) => other !== last), last])
  announceSelection(selection)
}

/** Ctrl or Cmd adds a card to the selection or takes it out, Shift all cards up to it; so does a tap while cards are selected. */
export function onCardClick(
  { order }: Pick<Selectable, 'order'>,
  selection: Selection,
  event: MouseEvent,
  cardId: number,
) {
  const isTap = (event.nativeEvent as PointerEvent).pointerType === 'touch' && selection.ids().size > 0
  if (event.shiftKey) extendTo(selection, cardId, order())
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
  { next: nextOf, focusCard }: Selectable,
  selection: Selection,
  { key, shiftKey }: KeyboardEvent,
  cardId: number,
): boolean {
  if (key === 'x') toggle(selection, cardId)
  else if (shiftKey && key.startsWith('Arrow')) {
    const next = nextOf(cardId, key)
    if (next === undefined) return true
    // Back over a selected card takes the last one out.
    const isBack = selection.ids().has(cardId) && selection.ids().has(next)
    const others = without(selection, cardId)
    selection.set(isBack ? others : [...others, cardId, next])
    announceSelection(selection)
    focusCard(next)
  } else return false
  return true
}
