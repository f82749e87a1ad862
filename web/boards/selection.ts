import { useCallback, useState, useSyncExternalStore } from 'react'

/** The selected cards of a board or a table. Components hear of changes by themselves, so that the board is not drawn again. */
export interface Selection {
  ids(): ReadonlySet<number>
  set(ids: Iterable<number>): void
  subscribe(listener: () => void): () => void
}

export function useSelection(): Selection {
  const [selection] = useState(createSelection)
  return selection
}

function createSelection(): Selection {
  let ids: ReadonlySet<number> = new Set()
  const listeners = new Set<() => void>()
  return {
    ids: () => ids,
    set(next) {
      ids = new Set(next)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const never = () => () => {}

export const useIsSelected = (selection: Selection | undefined, id: number): boolean =>
  useSyncExternalStore(selection?.subscribe ?? never, () => selection?.ids().has(id) ?? false)

export const useHasSelection = (selection: Selection): boolean =>
  useSyncExternalStore(
    selection.subscribe,
    useCallback(() => selection.ids().size > 0, [selection]),
  )
