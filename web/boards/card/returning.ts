// A card that is opened from a list covers it with its board; closing the card leads back, and its row has the focus again.
import { useEffect, useRef, useState } from 'react'
import { expectFocus } from '../../ui/keep-focus.ts'

/** Notes in the history which card is opened from this page, before its address is added. */
export function rememberOpened(cardId: number) {
  history.replaceState({ ...history.state, openedCard: cardId }, '')
}

/** How long the list may take to be drawn again. */
const framesOfReturn = 30
const returnMilliseconds = 2000

/** The card that was opened from this page when it was last shown. It takes the focus when it is drawn, but not later, when it is drawn again. */
export function useReturnTo(): number | undefined {
  const [cardId, setCardId] = useState<number | undefined>(() => history.state?.openedCard)
  useEffect(() => {
    if (cardId === undefined) return
    expectFocus(framesOfReturn)
    const { openedCard: _, ...rest } = history.state ?? {}
    history.replaceState(rest, '')
    const timer = setTimeout(() => setCardId(undefined), returnMilliseconds)
    return () => clearTimeout(timer)
  }, [cardId])
  return cardId
}

/** The ref of a link that takes the focus if its card was opened last. */
export function useReturnFocus(isReturned: boolean) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isReturned) link.current?.focus()
  }, [isReturned])
  return link
}
