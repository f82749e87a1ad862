// Elements that can be pointed at, by name. Each adds itself while it is shown, so that nothing has to look it up.
import { useSyncExternalStore } from 'react'

const spots = new Map<string, Set<HTMLElement>>()
const listeners = new Set<() => void>()

function change(name: string, work: (elements: Set<HTMLElement>) => void) {
  const elements = spots.get(name) ?? new Set()
  spots.set(name, elements)
  work(elements)
  for (const listener of listeners) listener()
}

/** A ref for an element with this name; made once per file, so that the element stays the same between renders. */
export const spot = (name: string) => (element: HTMLElement | null) => {
  if (!element) return
  change(name, (elements) => elements.add(element))
  return () => change(name, (elements) => elements.delete(element))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The first element with this name, or undefined until there is one. */
export const useSpot = (name: string): HTMLElement | undefined =>
  useSyncExternalStore(subscribe, () => spots.get(name)?.values().next().value)
