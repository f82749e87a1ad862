import { useEffect, useMemo, useRef } from 'react'
import type { Board as BoardData, Member } from '../data/types.ts'
import { AddGroup } from './add-group.tsx'
import { isTuckedAway } from './arrangement.ts'
import './board.css'
import type { CardContext } from './card-face.tsx'
import { Column } from './column.tsx'
import { BoardContext, type BoardParts } from './context.tsx'
import { type Filters, matches } from './filters.ts'
import type { Moving } from './moving.ts'
import { useStage } from './stage.ts'

interface Props {
  board: BoardData
  members: readonly Member[]
  unread: ReadonlyMap<number, number>
  filters: Filters
  openCardId: number | undefined
  /** A card that focus returns to, once its panel is closed. */
  returnTo: number | undefined
  /** The address of the board, and what is after the question mark. */
  path: string
  query: string
}

export function Board({ board, members, unread, filters, openCardId, returnTo, path, query }: Props) {
  const visible = useMemo(
    () =>
      new Map(board.groups.map((group) => [group.id, group.cards.filter((card) => matches(card, filters))])),
    [board, filters],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const context = useCardContext(board, members, unread)
  const { stage, shown } = useStage(board, visible, scroller)
  const { moving, refusal, manageRefusal } = shown
  const parts = useMemo<BoardParts>(
    () => ({
      stage,
      refusal,
      manageRefusal,
      hrefOf: (cardId) => `${path}/cards/${cardId}${query}`,
      showAllHref: `${path}?${new URLSearchParams([...new URLSearchParams(query), ['show', 'all']])}`,
    }),
    [stage, refusal, manageRefusal, path, query],
  )
  useEffect(() => {
    if (returnTo !== undefined) stage.focusCard(returnTo)
  }, [returnTo, stage])

  return (
    <BoardContext value={parts}>
      <p id="board-keys" className="visually-hidden">
        Press Space to lift, the arrow keys to choose a place, Space to drop, Escape to put back.
      </p>
      <div ref={scroller} className="board">
        {board.groups.map((group, index) => (
          <Column
            key={group.id}
            group={group}
            cards={visible.get(group.id) ?? []}
            tuckedCount={filters.showsAll ? 0 : group.cards.filter((card) => isTuckedAway(card)).length}
            context={context}
            landing={landingIn(moving, group.id)}
            groupEdge={edgeOf(board, moving, index)}
            movingCardId={moving?.kind === 'card' ? moving.cardId : undefined}
            openCardId={openCardId}
            isMoving={moving?.kind === 'group' && moving.groupId === group.id}
          />
        ))}
        <AddGroup />
      </div>
    </BoardContext>
  )
}

const landingIn = (moving: Moving | undefined, groupId: number) =>
  moving?.kind === 'card' && moving.landing?.groupId === groupId ? moving.landing.before : undefined

/** On which side of a column the line is drawn for a group that would take its place. */
function edgeOf(board: BoardData, moving: Moving | undefined, index: number): 'left' | 'right' | undefined {
  if (moving?.kind !== 'group' || moving.position !== index + 1) return undefined
  const from = board.groups.findIndex(({ id }) => id === moving.groupId)
  return index === from ? undefined : index > from ? 'right' : 'left'
}

function useCardContext(
  board: BoardData,
  members: readonly Member[],
  unread: ReadonlyMap<number, number>,
): CardContext {
  return useMemo(
    () => ({
      tags: new Map(board.tags.map((tag) => [tag.id, tag])),
      members: new Map(members.map((member) => [member.user_id, member])),
      unread,
    }),
    [board.tags, members, unread],
  )
}
