import { useEffect, useState, useSyncExternalStore } from 'react'

/** The places that show notifications: the page, and each dialog that is open above it. */
let places: readonly object[] = []
const listeners = new Set<() => void>()

function change(next: readonly object[]) {
  places = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether this place is the one in use. All that is outside of an open dialog is inert: it is neither pressed nor read out. */
export function useIsTopmost(): boolean {
  const [own] = useState(() => ({}))
  useEffect(() => {
    change([...places, own])
    return () => change(places.filter((place) => place !== own))
  }, [own])
  return useSyncExternalStore(subscribe, () => places.at(-1) === own)
}
