import { type RefObject, useCallback, useMemo, useRef } from 'react'
import type { MenuEntry } from '../../ui/menu.tsx'
import type { Landing } from '../arrangement.ts'
import type { CardActions } from '../card/card-actions.ts'
import type { GroupActions } from '../group/group-actions.ts'
import type { Arranged, Card } from '../types.ts'
import { useCardFocus } from './focus.ts'
import { type Moving, usePointerMoving } from './moving.ts'
import type { Registry } from './registry.ts'

export type Visible = ReadonlyMap<number, readonly Card[]>

/** What a board is of, and who may do what: given by whoever shows it. */
export interface Content {
  board: Arranged
  noun: 'board' | 'template'
  /** The cards of each group that are shown. */
  visible: Visible
  /** Why nothing can be changed, if so. */
  refusal: string | undefined
  manageRefusal: string | undefined
  deleteRefusal(card: Card): string | undefined
  /** What the menu of a card has beside moving and deleting. */
  ownEntries(card: Card): MenuEntry[]
  /** Where not every card is shown. */
  filter?: { hides(card: Card): boolean; clear(): void }
}

/** The board as it is shown at this moment. */
export interface Shown extends Content {
  moving: Moving | undefined
}

/** What can be done to a board; the same objects for as long as it is open. */
export interface Actions {
  cards: CardActions
  groups: GroupActions
}

/** What acts on a board. It stays the same while the board changes, so that a change draws only what it concerns. */
export interface Stage extends Actions {
  now(): Shown
  setMoving(moving: Moving | undefined): void
  /** Ends a move by keyboard whose card or group has lost the focus. */
  putBack(): void
  /** Moves a card, and keeps the focus on it. */
  move(cardId: number, landing: Landing): void
  focusCard(cardId: number): void
  /** Brings a card into sight and leaves the focus where it is. */
  showCard(cardId: number): void
  /** By group: its column, and its list, which scrolls to a card. */
  columns: Registry<HTMLElement>
  lists: Registry<{ reveal(cardId: number): void }>
  /** By card: what takes the focus. */
  links: Registry<HTMLElement>
}

export function useStage(
  content: Content,
  { cards, groups }: Actions,
  scroller: RefObject<HTMLElement | null>,
) {
  const shown = useRef<Shown>({ ...content, moving: undefined })
  const { focusCard, showCard, columns, lists, links } = useCardFocus(shown)
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
  shown.current = { ...content, moving }
  const putBack = useCallback(() => {
    // Another window may have taken the focus; it comes back.
    if (!document.hasFocus()) return
    setMoving((now) => (now?.byKeyboard ? undefined : now))
  }, [setMoving])
  const stage = useMemo<Stage>(
    () => ({
      now: () => shown.current,
      cards,
      groups,
      setMoving,
      putBack,
      move,
      focusCard,
      showCard,
      columns,
      lists,
      links,
    }),
    [cards, groups, setMoving, putBack, move, focusCard, showCard, columns, lists, links],
  )
  return { stage, moving }
}
