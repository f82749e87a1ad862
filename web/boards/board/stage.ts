import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useMemo, useRef } from 'react'
import type { MenuEntry } from '../../ui/menu.tsx'
import type { Landing } from '../arrangement.ts'
import type { CardActions } from '../card/card-actions.ts'
import type { GroupActions } from '../group/group-actions.ts'
import type { Selection } from '../selection.ts'
import type { Arranged, Card } from '../types.ts'
import { useCardFocus } from './focus.ts'
import { type Moving, usePointerMoving } from './moving.ts'
import type { Registry } from './registry.ts'

export type Visible = ReadonlyMap<number, readonly Card[]>

/** What is loaded after the board: actions on several cards, and rarer ones on a single card. */
export interface Tools {
  /** Additional entries of a card's menu. */
  entries(card: Card): MenuEntry[]
  /** The menu of all selected cards, if the card is one of several. */
  ofSeveral(cardId: number): { title: string; entries: MenuEntry[] } | undefined
  /** Rejects if the service refuses. */
  createMany(groupId: number, titles: string[]): Promise<unknown>
  /** Selects cards; a click that does opens no card. */
  onClick(event: MouseEvent, cardId: number): void
  /** True if the key was for the selection, or for all selected cards. */
  onKey(event: KeyboardEvent, card: Card): boolean
  /** True if the card is one of several selected ones, which then all move. */
  drop(cardId: number, landing: Landing): boolean
}

/** A board with its visible cards and permissions, given by the page that shows it. */
export interface Content {
  board: Arranged
  noun: 'board' | 'template'
  /** The visible cards of each group. */
  visible: Visible
  /** Why the board cannot be changed, if it cannot. */
  refusal: string | undefined
  manageRefusal: string | undefined
  /** Why a group cannot be collapsed or expanded. */
  collapseRefusal: string | undefined
  deleteRefusal(card: Card): string | undefined
  /** Additional entries of a card's menu. */
  ownEntries(card: Card): MenuEntry[]
  /** Set if several cards can be changed at once. */
  selection?: Selection | undefined
  tools?: RefObject<Tools | undefined>
  /** Acts once the tools are loaded, or cannot be. */
  withTools?(act: () => void): void
  /** Set if not every card is shown. */
  filter?: { hides(card: Card): boolean; clear(): void }
}

/** The board as currently shown. */
export interface Shown extends Content {
  moving: Moving | undefined
}

/** The actions on a board; the same objects while it is open. */
export interface Actions {
  cards: CardActions
  groups: GroupActions
}

/** Everything that acts on a board. Its identity is stable, so that a change renders only what it affects. */
export interface Stage extends Actions {
  now(): Shown
  setMoving(moving: Moving | undefined): void
  /** Ends a keyboard move when its card or group loses the focus. */
  putBack(): void
  /** Moves a card and keeps it focused. */
  move(cardId: number, landing: Landing): void
  focusCard(cardId: number): void
  /** Scrolls to a card without focusing it. */
  showCard(cardId: number): void
  /** The card that has the focus. */
  focusedId(): number | undefined
  /** By group: its column, and its list, which scrolls to a card. */
  columns: Registry<HTMLElement>
  lists: Registry<{ reveal(cardId: number): void }>
  /** By card: the element that takes the focus. */
  links: Registry<HTMLElement>
}

export function useStage(
  content: Content,
  { cards, groups }: Actions,
  scroller: RefObject<HTMLElement | null>,
) {
  const shown = useRef<Shown>({ ...content, moving: undefined })
  const { focusCard, showCard, focusedId, columns, lists, links } = useCardFocus(shown)
  const move = useCallback(
    (cardId: number, landing: Landing) => {
      cards.move(shown.current.board, cardId, landing)
      focusCard(cardId)
    },
    [cards, focusCard],
  )
  const drop = useCallback(
    (moving: Moving) => {
      if (moving.kind === 'card') {
        const { cardId, landing } = moving
        if (landing && !shown.current.tools?.current?.drop(cardId, landing)) move(cardId, landing)
      }
      if (moving.kind === 'group' && moving.position !== undefined)
        groups.move(shown.current.board, moving.groupId, moving.position)
    },
    [groups, move],
  )
  const [moving, setMoving] = usePointerMoving(shown, scroller, drop)
  shown.current = { ...content, moving }
  const putBack = useCallback(() => {
    // The focus may be in another window; it comes back.
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
      focusedId,
      columns,
      lists,
      links,
    }),
    [cards, groups, setMoving, putBack, move, focusCard, showCard, focusedId, columns, lists, links],
  )
  return { stage, moving }
}
