import { type MouseEvent, useCallback, useState, useSyncExternalStore } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { counted } from '../../words/words.ts'
import type { Stage } from './stage.ts'

/** The selected cards of a board. Components hear of changes by themselves, so that the board is not drawn again. */
export interface Selection {
  ids(): ReadonlySet<number>
  has(id: number): boolean
  set(ids: Iterable<number>): void
  toggle(id: number): void
  /** Selects what lies between the card that was selected last and this one. */
  extendTo(id: number, order: readonly number[]): void
  subscribe(listener: () => void): () => void
}

export function useSelection(): Selection {
  const [selection] = useState(createSelection)
  return selection
}

function createSelection(): Selection {
  let ids: ReadonlySet<number> = new Set()
  let last: number | undefined
  const listeners = new Set<() => void>()
  function set(next: Iterable<number>) {
    ids = new Set(next)
    for (const listener of listeners) listener()
  }
  return {
    ids: () => ids,
    has: (id) => ids.has(id),
    set,
    toggle(id) {
      last = id
      set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id])
    },
    extendTo(id, order) {
      const [from, to] = [order.indexOf(last ?? id), order.indexOf(id)]
      last = from === -1 ? id : last
      set([...ids, ...order.slice(Math.min(from === -1 ? to : from, to), Math.max(from, to) + 1)])
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const never = () => () => {}

export const useIsSelected = (selection: Selection | undefined, id: number): boolean =>
  useSyncExternalStore(selection?.subscribe ?? never, () => selection?.has(id) ?? false)

export const useHasSelection = (selection: Selection): boolean =>
  useSyncExternalStore(
    selection.subscribe,
    useCallback(() => selection.ids().size > 0, [selection]),
  )

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

/** Ctrl or Cmd adds a card to the selection or takes it out, Shift all cards up to it; so does a tap while cards are selected. */
export function onCardClick(stage: Stage, event: MouseEvent, cardId: number) {
  const { selection } = stage.now()
  if (!selection || cardId < 0) return
  const isTap = (event.nativeEvent as PointerEvent).pointerType === 'touch' && selection.ids().size > 0
  if (event.shiftKey) selection.extendTo(cardId, orderOf(stage))
  else if (event.ctrlKey || event.metaKey || isTap) selection.toggle(cardId)
  else {
    if (selection.ids().size > 0) selection.set([])
    return
  }
  event.preventDefault()
  event.stopPropagation()
  announceSelection(selection)
}
