import { type RefObject, useCallback, useMemo, useRef } from 'react'
import { useProject, useRefusal } from '../data/project.tsx'
import type { Board, Card } from '../data/types.ts'
import type { Landing } from './arrangement.ts'
import { type CardActions, useCardActions } from './card-actions.ts'
import { useCardFocus } from './focus.ts'
import { type GroupActions, useGroupActions } from './group-actions.ts'
import { type Moving, usePointerMoving } from './moving.ts'

export type Visible = ReadonlyMap<number, readonly Card[]>

/** The board as it is shown at this moment. */
export interface Shown {
  board: Board
  /** The cards of each group that the filters let through. */
  visible: Visible
  moving: Moving | undefined
  /** Why nothing can be changed, if so. */
  refusal: string | undefined
  manageRefusal: string | undefined
  deleteRefusal(card: Card): string | undefined
}

/** What acts on a board. It stays the same while the board changes, so that a change draws only what it concerns. */
export interface Stage {
  now(): Shown
  cards: CardActions
  groups: GroupActions
  setMoving(moving: Moving | undefined): void
  /** Moves a card, and keeps the focus on it. */
  move(cardId: number, landing: Landing): void
  focusCard(cardId: number): void
  register(groupId: number, reveal: (cardId: number) => void): () => void
}

export function useStage(board: Board, visible: Visible, scroller: RefObject<HTMLElement | null>) {
  const refusals = useRefusals()
  const cards = useCardActions(board.id)
  const groups = useGroupActions(board.id)
  const shown = useRef<Shown>({ board, visible, moving: undefined, ...refusals })
  const { focusCard, register } = useCardFocus(shown, scroller)
  const move = useCallback(
    (cardId: number, landing: Landing) => {
      cards.move(shown.current.board, cardId, landing)
      focusCard(cardId)
    },
    [cards, focusCard],
  )
  const drop = useCallback(
    (moving: Moving) => {
      if (moving.kind === 'card' && moving.landing) move(moving.cardId, moving.landing)
      if (moving.kind === 'group' && moving.position !== undefined)
        groups.move(shown.current.board, moving.groupId, moving.position)
    },
    [groups, move],
  )
  const [moving, setMoving] = usePointerMoving(shown, scroller, drop)
  shown.current = { board, visible, moving, ...refusals }
  const stage = useMemo<Stage>(
    () => ({ now: () => shown.current, cards, groups, setMoving, move, focusCard, register }),
    [cards, groups, setMoving, move, focusCard, register],
  )
  return { stage, shown: shown.current }
}

function useRefusals() {
  const { me } = useProject()
  const refusal = useRefusal('work')
  const manageRefusal = useRefusal('manage')
  const anyRefusal = useRefusal('delete any card')
  const deleteRefusal = (card: Card) => refusal ?? (card.created_by === me.user.id ? undefined : anyRefusal)
  return { refusal, manageRefusal, deleteRefusal }
}
