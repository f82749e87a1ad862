import { useMemo, useSyncExternalStore } from 'react'
import { midnight } from './days.ts'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const hear of listeners) hear()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** What follows from the time, as text, number or flag: looked at every second, and drawn again when it is another. */
export const useTimely = <Value extends string | number | boolean>(read: () => Value): Value =>
  useSyncExternalStore(subscribe, read)

/** The last of these moments that has passed today, else the beginning of the day: another number whenever anything depends on it. */
export function useNow(moments: readonly (string | null)[]): number {
  const sorted = useMemo(
    () => moments.flatMap((at) => (at === null ? [] : [Date.parse(at)])).sort((a, b) => a - b),
    [moments],
  )
  return useTimely(() => {
    const now = Date.now()
    return Math.max(midnight(0, now), sorted.findLast((moment) => moment <= now) ?? 0)
  })
}
