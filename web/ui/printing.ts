import { useSyncExternalStore } from 'react'

let isPrinting = false

function subscribe(onChange: () => void) {
  const turn = (is: boolean) => () => {
    isPrinting = is
    onChange()
  }
  const [begin, end] = [turn(true), turn(false)]
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

/** True while the page is printed, which shows everything and not only what is in sight. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
