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

/** A value that depends on the time: checked every second, and rendered again when it changes. */
export const useTimely = <Value extends string | number | boolean>(read: () => Value): Value =>
  useSyncExternalStore(subscribe, read)

/** The last of these times that has passed today, or else the start of the day; it changes only when something depends on it. NaN is no time. */
export function useNow(moments: readonly number[]): number {
  const sorted = useMemo(
    () => moments.filter((moment) => !Number.isNaN(moment)).sort((a, b) => a - b),
    [moments],
  )
  return useTimely(() => {
    const now = Date.now()
    return Math.max(midnight(0, now), sorted.findLast((moment) => moment <= now) ?? 0)
  })
}
