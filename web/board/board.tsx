import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import type { Arranged, Card } from '../data/types.ts'
import { announce } from '../ui/announcer.tsx'
import type { MenuEntry } from '../ui/menu.tsx'
import type { CardActions, GroupActions } from './actions.ts'
import { AddGroup } from './add-group.tsx'
import { cardOf, isTuckedAway, type Landing } from './arrangement.ts'
import './board.css'
import { Column } from './column.tsx'
import { BoardContext, type BoardParts, type CardFace } from './context.tsx'
import { useCardFocus } from './focus.ts'
import { announceLanding, isArrow, neighbour, nextLanding } from './keyboard.ts'
import { cardMenuEntries, groupMenuEntries } from './menus.tsx'
import { type Moving, usePointerMoving } from './moving.ts'

interface Props extends Sources {
  /** What is below the title of a card. */
  face: CardFace
  openCardId: number | undefined
  /** A card that focus returns to, once its panel is closed. */
  returnTo: number | undefined
}

/** Groups side by side with their cards, moved by pointer, keyboard and menu; what they are of is up to whoever uses it. */
export function Board({ face, openCardId, returnTo, ...sources }: Props) {
  const { board, visible, showAllHref } = sources
  const scroller = useRef<HTMLDivElement>(null)
  const { parts, moving } = useBoardParts(sources, scroller)
  const { focusCard } = parts
  useEffect(() => {
    if (returnTo !== undefined) focusCard(returnTo)
  }, [returnTo, focusCard])

  const dropsAt = moving?.kind === 'group' && moving.position !== undefined ? moving : undefined
  return (
    <BoardContext value={parts}>
      <p id="board-keys" className="visually-hidden">
        Press Space to lift, the arrow keys to choose a place, Space to drop, Escape to put back.
      </p>
      <div ref={scroller} className="board" data-moving={moving !== undefined}>
        {board.groups.map((group, index) => (
          <Column
            key={group.id}
            group={group}
            cards={visible.get(group.id) ?? []}
            tuckedCount={
              showAllHref === undefined ? 0 : group.cards.filter((card) => isTuckedAway(card)).length
            }
            face={face}
            landing={
              moving?.kind === 'card' && moving.landing?.groupId === group.id
                ? moving.landing.before
                : undefined
            }
            groupEdge={dropsAt && edgeOf(board, dropsAt.groupId, dropsAt.position as number, index)}
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

/** On which side of a column the line is drawn for a group that would come to a position. */
function edgeOf(
  board: Arranged,
  groupId: number,
  position: number,
  index: number,
): 'left' | 'right' | undefined {
  const from = board.groups.findIndex(({ id }) => id === groupId)
  if (position === from + 1) return undefined
  if (index !== position - 1) return undefined
  return position - 1 > from ? 'right' : 'left'
}

interface Sources {
  board: Arranged
  /** The cards of each group that are shown. */
  visible: ReadonlyMap<number, readonly Card[]>
  cards: CardActions
  groups: GroupActions
  refusal: string | undefined
  manageRefusal: string | undefined
  deleteRefusal(card: Card): string | undefined
  /** What the menu of a card has beside moving and deleting. */
  ownEntries(card: Card): MenuEntry[]
  hrefOf(cardId: number): string
  /** The same board with the cards that are tucked away, where they are not shown already. */
  showAllHref: string | undefined
}

/** What the columns and cards are given; it stays the same object, and reads the newest board when it is used. */
function useBoardParts(sources: Sources, scroller: React.RefObject<HTMLDivElement | null>) {
  const { refusal, manageRefusal, showAllHref } = sources
  const now = useRef(sources)
  now.current = sources
  const board = useRef(sources.board)
  board.current = sources.board
  const visible = useRef(sources.visible)
  visible.current = sources.visible
  const { focusCard, register } = useCardFocus(board, scroller)

  const move = useCallback(
    (cardId: number, landing: Landing) => {
      now.current.cards.move(board.current, cardId, landing)
      focusCard(cardId)
    },
    [focusCard],
  )
  const drop = useCallback(
    (moving: Moving) => {
      if (moving.kind === 'card' && moving.landing) move(moving.cardId, moving.landing)
      if (moving.kind === 'group' && moving.position !== undefined)
        now.current.groups.move(board.current, moving.groupId, moving.position)
    },
    [move],
  )
  const [moving, setMoving] = usePointerMoving(board, visible, scroller, drop)
  const movingNow = useRef(moving)
  movingNow.current = moving

  const parts = useMemo<BoardParts & { focusCard(cardId: number): void }>(() => {
    const onCardKey = (event: KeyboardEvent, cardId: number) => {
      const card = cardOf(board.current, cardId)
      const lifted = movingNow.current
      if (!card || event.ctrlKey || event.metaKey || event.altKey) return
      if (lifted?.kind === 'card' && lifted.byKeyboard && lifted.landing)
        return onLiftedKey(event, card, lifted.landing)
      if (isArrow(event.key)) {
        event.preventDefault()
        const next = neighbour(board.current, visible.current, card, event.key)
        if (next) focusCard(next.id)
      } else if (event.key === ' ') {
        event.preventDefault()
        if (now.current.refusal !== undefined) return announce(now.current.refusal)
        const cards = visible.current.get(card.group_id as number) ?? []
        const place = cards.findIndex(({ id }) => id === cardId)
        const landing = { groupId: card.group_id as number, before: cards[place + 1]?.id ?? null }
        setMoving({ kind: 'card', cardId, landing, byKeyboard: true })
        announce(`Lifted ${card.title}. The arrow keys choose a place, Space drops, Escape puts it back.`)
      } else if (event.key === 'm' || event.key === 'ContextMenu') {
        event.preventDefault()
        event.currentTarget.parentElement?.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click()
      } else if (event.key === 'Delete' && deleteRefusal(card) === undefined) {
        const next =
          neighbour(board.current, visible.current, card, 'ArrowDown') ??
          neighbour(board.current, visible.current, card, 'ArrowUp')
        now.current.cards.remove(card)
        if (next) focusCard(next.id)
      }
    }
    const onLiftedKey = (event: KeyboardEvent, card: Card, landing: Landing) => {
      event.preventDefault()
      event.stopPropagation()
      if (isArrow(event.key)) {
        const next = nextLanding(board.current, visible.current, card.id, landing, event.key)
        setMoving({ kind: 'card', cardId: card.id, landing: next, byKeyboard: true })
        announceLanding(board.current, visible.current, card.id, next)
        document
          .querySelector(`[data-group-id="${next.groupId}"]`)
          ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      } else if (event.key === ' ' || event.key === 'Enter') {
        setMoving(undefined)
        move(card.id, landing)
      } else if (event.key === 'Escape' || event.key === 'Tab') {
        setMoving(undefined)
        announce(`${card.title} is back where it was.`)
      }
    }
    const onGripKey = (event: KeyboardEvent, groupId: number) => {
      const lifted = movingNow.current
      const { groups } = board.current
      const place = groups.findIndex(({ id }) => id === groupId)
      const isLifted = lifted?.kind === 'group' && lifted.byKeyboard
      if (!isLifted) {
        if (event.key !== ' ' && event.key !== 'Enter') return
        event.preventDefault()
        if (now.current.refusal !== undefined) announce(now.current.refusal)
        else {
          setMoving({ kind: 'group', groupId, position: place + 1, byKeyboard: true })
          announce(`Lifted the group ${groups[place]?.title}. Left and right choose a place, Space drops.`)
        }
        return
      }
      event.preventDefault()
      const position = lifted.position ?? place + 1
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const next = Math.min(Math.max(position + (event.key === 'ArrowLeft' ? -1 : 1), 1), groups.length)
        setMoving({ ...lifted, position: next })
        announce(`Position ${next} of ${groups.length}.`)
      } else if (event.key === ' ' || event.key === 'Enter') {
        setMoving(undefined)
        now.current.groups.move(board.current, groupId, position)
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-grip="${groupId}"]`)?.focus())
      } else if (event.key === 'Escape' || event.key === 'Tab') {
        setMoving(undefined)
        announce('The group is back where it was.')
      }
    }
    const deleteRefusal = (card: Card) => now.current.refusal ?? now.current.deleteRefusal(card)
    return {
      cards: delegate(() => now.current.cards),
      groups: delegate(() => now.current.groups),
      refusal,
      manageRefusal,
      hrefOf: (cardId) => now.current.hrefOf(cardId),
      showAllHref,
      focusCard,
      onCardKey,
      onGripKey,
      cardMenu: (cardId) => cardMenuEntries(cardId, { ...now.current, deleteRefusal, move }),
      groupMenu: (groupId) => groupMenuEntries(groupId, now.current),
      register,
    }
  }, [refusal, manageRefusal, showAllHref, focusCard, register, move, setMoving])
  return { parts, moving }
}

/** The actions of the newest rendering behind one object that never changes. */
function delegate<Actions extends object>(newest: () => Actions): Actions {
  return new Proxy({} as Actions, { get: (_, name) => newest()[name as keyof Actions] })
}
