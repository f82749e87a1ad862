import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import { t } from '../../words/words.ts'
import type { Arranged, Card } from '../types.ts'
import { AddGroup } from './add-group.tsx'
import './board.css'
import { Column } from './column.tsx'
import { BoardContext, type BoardParts, type CardFace } from './context.tsx'
import type { Moving } from './moving.ts'
import { type Actions, type Content, type Stage, useStage } from './stage.ts'

interface Props {
  content: Content
  actions: Actions
  /** The content below a card's title. */
  face: CardFace
  openCardId: number | undefined
  /** A card that focus returns to, once its panel is closed. */
  returnTo: number | undefined
  hrefOf: BoardParts['hrefOf']
  /** How many cards of each group are snoozed or hidden. */
  tuckedCounts?: ReadonlyMap<number, number>
  showAllHref?: string | undefined
  /** Where there is a button for new cards outside of the board. */
  quickAdds?: BoardParts['quickAdds']
  children?: ReactNode
}

/** Groups side by side with their cards, moved by pointer, keyboard and menu; used for projects' boards and templates. */
export function Board({
  content,
  actions,
  face,
  openCardId,
  returnTo,
  hrefOf,
  tuckedCounts,
  showAllHref,
  quickAdds,
  children,
}: Props) {
  const { board, noun, visible, refusal, manageRefusal, collapseRefusal } = content
  const scroller = useRef<HTMLDivElement>(null)
  const { stage, moving } = useStage(content, actions, scroller)
  const parts = useMemo<BoardParts>(
    () => ({
      stage,
      scroller,
      quickAdds,
      place: `${noun} ${board.id}`,
      refusal,
      manageRefusal,
      collapseRefusal,
      hrefOf,
      showAllHref,
    }),
    [stage, quickAdds, noun, board.id, refusal, manageRefusal, collapseRefusal, hrefOf, showAllHref],
  )
  useRoomFor(openCardId, scroller, stage)
  useEffect(() => {
    if (returnTo !== undefined) stage.focusCard(returnTo)
  }, [returnTo, stage])

  return (
    <BoardContext value={parts}>
      <p id="board-keys" className="visually-hidden">
        {t('Press Space to lift, the arrow keys to choose a position, Space to drop, Escape to cancel.')}
      </p>
      <div ref={scroller} className="board">
        {board.groups.map((group, index) => (
          <Column
            key={group.id}
            group={group}
            cards={visible.get(group.id) ?? []}
            tuckedCount={tuckedCounts?.get(group.id) ?? 0}
            face={face}
            landing={landingIn(moving, group.id)}
            groupEdge={edgeOf(board, moving, index)}
            movingCardId={movingFrom(moving, visible.get(group.id))}
            openCardId={openCardId}
            isMoving={moving?.kind === 'group' && moving.groupId === group.id}
          />
        ))}
        <AddGroup isFirst={board.groups.length === 0} />
      </div>
      {children}
    </BoardContext>
  )
}

/** Scrolls to the open card, and back once it is closed, unless the person has scrolled since. */
function useRoomFor(openCardId: number | undefined, scroller: RefObject<HTMLElement | null>, stage: Stage) {
  /** Where the board was, and where it was scrolled to. */
  const room = useRef<{ from: number; to: number }>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const { scrollLeft: now, scrollWidth, clientWidth } = element
    // A wider board may not reach as far.
    const reached = Math.min(room.current?.to ?? now, scrollWidth - clientWidth)
    const from = room.current && Math.abs(now - reached) < 2 ? room.current.from : now
    if (openCardId === undefined) {
      element.scrollLeft = from
      room.current = undefined
      return
    }
    // At once, and again when its panel takes part of the board's width.
    const observer = new ResizeObserver(() => {
      stage.showCard(openCardId)
      room.current = { from, to: element.scrollLeft }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [openCardId, scroller, stage])
}

const landingIn = (moving: Moving | undefined, groupId: number) =>
  moving?.kind === 'card' && moving.landing?.groupId === groupId ? moving.landing.before : undefined

/** Passed only to the card's column, so that the others are not drawn again. */
const movingFrom = (moving: Moving | undefined, cards: readonly Card[] = []) =>
  moving?.kind === 'card' && cards.some(({ id }) => id === moving.cardId) ? moving.cardId : undefined

/** The side of a column on which the drop line of a group is drawn. */
function edgeOf(board: Arranged, moving: Moving | undefined, index: number): 'left' | 'right' | undefined {
  if (moving?.kind !== 'group' || moving.position !== index + 1) return undefined
  const from = board.groups.findIndex(({ id }) => id === moving.groupId)
  return index === from ? undefined : index > from ? 'right' : 'left'
}
