import { useEffect, useState, useSyncExternalStore } from 'react'

/** The places for notifications: the page and each open dialog. */
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

/** True if this place is active. Everything outside of an open dialog is inert, for pointers and screen readers. */
export function useIsTopmost(): boolean {
  const [own] = useState(() => ({}))
  useEffect(() => {
    change([...places, own])
    return () => change(places.filter((place) => place !== own))
  }, [own])
  return useSyncExternalStore(subscribe, () => places.at(-1) === own)
}
