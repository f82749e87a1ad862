import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { expectFocus } from '../../ui/keep-focus.ts'
import { groupOf } from '../arrangement.ts'
import { useRegistry } from './registry.ts'
import type { Shown } from './stage.ts'

/** A column out of view has to scroll in and render its cards before one can be focused. */
const mostFrames = 20

/** Scrolls to cards, focuses them, and restores the focus when a move recreates a card's element. */
export function useCardFocus(shown: RefObject<Shown>) {
  const columns = useRegistry<HTMLElement>()
  const lists = useRegistry<{ reveal(cardId: number): void }>()
  const links = useRegistry<HTMLElement>()
  const focused = useRef<number>(undefined)

  const bringIntoSight = useCallback(
    (cardId: number) => {
      const group = groupOf(shown.current.board, cardId)
      if (!group) return
      columns.get(group.id)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      lists.get(group.id)?.reveal(cardId)
    },
    [shown, columns, lists],
  )

  const focusCard = useCallback(
    (cardId: number) => {
      focused.current = cardId
      const attempt = (frame: number) => {
        if (!groupOf(shown.current.board, cardId) || frame === mostFrames || focused.current !== cardId)
          return
        const link = links.get(cardId)
        if (link) return link.focus()
        bringIntoSight(cardId)
        expectFocus(mostFrames - frame)
        requestAnimationFrame(() => attempt(frame + 1))
      }
      attempt(0)
    },
    [shown, links, bringIntoSight],
  )

  const showCard = useCallback(
    (cardId: number) => {
      const attempt = (frame: number) => {
        bringIntoSight(cardId)
        if (!links.get(cardId) && frame < mostFrames) requestAnimationFrame(() => attempt(frame + 1))
      }
      attempt(0)
    },
    [links, bringIntoSight],
  )

  useEffect(() => {
    const remember = (event: FocusEvent) => {
      // A dialog gives the focus back.
      if (event.composedPath().some((one) => one instanceof HTMLDialogElement)) return
      const id = (event.target as HTMLElement).dataset?.['cardId']
      focused.current = id === undefined ? undefined : Number(id)
    }
    // A press on the background removes the focus on purpose.
    const forget = () => {
      focused.current = undefined
    }
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget, true)
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget, true)
    }
  }, [])

  // After every render: nothing has the focus only if the focused element is gone.
  useEffect(() => {
    if (document.activeElement === document.body && focused.current !== undefined) focusCard(focused.current)
  })

  const focusedId = useCallback(() => focused.current, [])
  return { focusCard, showCard, focusedId, columns, lists, links }
}
