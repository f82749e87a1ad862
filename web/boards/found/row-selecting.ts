import { useImperativeHandle, useState } from 'react'
import {
  onCardClick,
  onSelectionKey,
  type RowSelecting,
  type Selectable,
  type Selecting,
} from '../selecting.ts'

/** Selects the cards of lists, which are in this order; the arrow keys go through them. */
export function useRowSelecting(
  selecting: Selecting | undefined,
  cards: readonly { id: number }[],
): RowSelecting | undefined {
  const [links] = useState(() => new Map<number, HTMLElement>())
  const order = () => cards.map(({ id }) => id)
  const selectable: Selectable = {
    order,
    next(cardId, key) {
      const step = { ArrowUp: -1, ArrowDown: 1 }[key]
      return step === undefined ? undefined : order()[order().indexOf(cardId) + step]
    },
    focusCard: (cardId) => links.get(cardId)?.focus(),
  }
  useImperativeHandle(selecting?.view, () => selectable)
  if (!selecting) return undefined
  const { selection, onKey } = selecting
  const goOn = (cardId: number, key: string): boolean => {
    const next = selectable.next(cardId, key)
    if (next !== undefined) selectable.focusCard(next)
    return next !== undefined
  }
  return {
    selection,
    addLink(cardId, link) {
      links.set(cardId, link)
      return () => {
        // A card whose section has changed has been added again by then.
        if (links.get(cardId) === link) links.delete(cardId)
      }
    },
    onClick: (event, cardId) => onCardClick(selectable, selection, event, cardId),
    onKey(event, cardId) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const isUsed =
        onKey(event, cardId) ||
        onSelectionKey(selectable, selection, event, cardId) ||
        goOn(cardId, event.key)
      if (isUsed) event.preventDefault()
    },
  }
}
