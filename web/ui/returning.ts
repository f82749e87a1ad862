// What is opened from a list covers it with another page; closing it leads back, and its row has the focus again.
import { useEffect, useRef, useState } from 'react'
import { expectFocus } from './keep-focus.ts'

/** Notes in the history which row is opened from this page, before its address is added. */
export function rememberOpened(id: number) {
  history.replaceState({ ...history.state, openedRow: id }, '')
}

/** How long the list may take to be drawn again. */
const framesOfReturn = 30
const returnMilliseconds = 2000

/** The row that was opened from this page when it was last shown. It takes the focus when it is drawn, but not later, when it is drawn again. */
export function useReturnTo(): number | undefined {
  const [id, setId] = useState<number | undefined>(() => history.state?.openedRow)
  useEffect(() => {
    if (id === undefined) return
    expectFocus(framesOfReturn)
    const { openedRow: _, ...rest } = history.state ?? {}
    history.replaceState(rest, '')
    const timer = setTimeout(() => setId(undefined), returnMilliseconds)
    return () => clearTimeout(timer)
  }, [id])
  return id
}

/** The ref of a link that takes the focus if it was opened last. */
export function useReturnFocus(isReturned: boolean) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isReturned) link.current?.focus()
  }, [isReturned])
  return link
}
