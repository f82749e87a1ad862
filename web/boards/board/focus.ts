import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { expectFocus } from '../../ui/keep-focus.ts'
import { groupOf } from '../arrangement.ts'
import { useRegistry } from './registry.ts'
import type { Shown } from './stage.ts'

/** A column that was out of sight has to come into view, make its cards and scroll before there is something to focus. */
const mostFrames = 20

/** Brings cards into sight, focus to them, and back to the card that had it when a move made its element anew. */
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
    const remember = ({ target }: FocusEvent) => {
      const id = (target as HTMLElement).dataset?.['cardId']
      focused.current = id === undefined ? undefined : Number(id)
    }
    // A press on nothing is a wish to have nothing focused.
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

  // After every drawing: nothing has focus only if the element that had it is gone.
  useEffect(() => {
    if (document.activeElement === document.body && focused.current !== undefined) focusCard(focused.current)
  })

  return { focusCard, showCard, columns, lists, links }
}
