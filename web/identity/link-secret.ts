import { useSyncExternalStore } from 'react'

/**
 * The secret of a link from a mail. It is after the `#`, where no server sees it, and leaves the address at once, so that nobody reads it
 * over a shoulder or copies it along. The state of the page keeps it when the page is loaded again.
 */
export const useLinkSecret = (): string => useSyncExternalStore(subscribe, takeSecret)

/** Pasting another link into the address changes only the part after the `#`. */
function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

function takeSecret(): string {
  const { hash, pathname } = location
  // The router's own version would tell every page of a change while this one is drawn.
  if (hash !== '')
    History.prototype.replaceState.call(history, { ...history.state, secret: hash.slice(1) }, '', pathname)
  return (history.state as { secret?: string } | null)?.secret ?? ''
}
