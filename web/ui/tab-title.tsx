import { useSyncExternalStore } from 'react'

let unread = 0
const listeners = new Set<() => void>()

/** Sets the number in front of the tab's title; the shell knows it, pages do not. */
export function setUnreadInTitle(count: number): void {
  unread = count
  for (const hear of listeners) hear()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The same number, for where the sidebar is hidden. */
export const useUnreadInTitle = (): number => useSyncExternalStore(subscribe, () => unread)

/** The title of the browser tab of a page inside a project. */
export function TabTitle({ title }: { title: string }) {
  const count = useUnreadInTitle()
  return <title>{`${count === 0 ? '' : `(${countText(count)}) `}${title} · Cardinal`}</title>
}

/** The service counts to 100. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))
