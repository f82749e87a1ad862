import { useState } from 'react'

/** The parts of a board that are shown, by the id of their card or group. */
export interface Registry<Part> {
  get(id: number): Part | undefined
  entries(): Iterable<[id: number, part: Part]>
  /** Returns a function that removes the part again. */
  add(id: number, part: Part): () => void
}

/** Gives access to components far below in the tree; each adds itself while it is shown. */
export function useRegistry<Part>(): Registry<Part> {
  const [registry] = useState(() => {
    const parts = new Map<number, Part>()
    return {
      get: (id: number) => parts.get(id),
      entries: () => parts.entries(),
      add(id: number, part: Part) {
        parts.set(id, part)
        return () => {
          // A card that was moved has been added again by then.
          if (parts.get(id) === part) parts.delete(id)
        }
      },
    }
  })
  return registry
}
