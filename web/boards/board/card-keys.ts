import type { KeyboardEvent, MouseEvent } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { isTyping, waiting } from '../../ui/commands.ts'
import { pressAgain } from '../../ui/press-again.ts'
import { t } from '../../words/words.ts'
import { cardOf, type Landing } from '../arrangement.ts'
import type { Card } from '../types.ts'
import { announceLanding, isArrow, neighbor, nextLanding } from './keyboard.ts'
import type { Stage } from './stage.ts'

/** A click that selects waits for the tools; without them, Ctrl and a click would open a window. */
export function onCardClick(stage: Stage, event: MouseEvent, cardId: number) {
  const { selection, tools, withTools } = stage.now()
  if (!selection) return
  if (tools?.current) return tools.current.onClick(event, cardId)
  if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  event.stopPropagation()
  withTools?.(() => tools?.current?.onClick(event, cardId))
}

/** The keyboard shortcuts of a focused card. */
export function onCardKey(stage: Stage, event: KeyboardEvent, cardId: number, openMenu: () => void) {
  const { board, moving, tools, withTools } = stage.now()
  const card = cardOf(board, cardId)
  if (!card || event.ctrlKey || event.metaKey || event.altKey) return
  if (moving?.kind === 'card' && moving.byKeyboard && moving.landing)
    return onLiftedKey(stage, event, card, moving.landing)
  if (tools?.current?.onKey(event, card)) return event.preventDefault()
  const key = isArrow(event.key) ? 'Arrow' : event.key
  const actions: Record<string, (() => void) | undefined> = {
    Arrow: () => focusNeighbor(stage, event, card),
    Home: () => focusAt(stage, card, 0),
    End: () => focusAt(stage, card, -1),
    ' ': () => lift(stage, card),
    m: openMenu,
    ContextMenu: openMenu,
    Delete: () => remove(stage, card),
  }
  // Other letters, and arrows with Shift, are for the tools, or for commands that come with them.
  const isNext = waiting.at === event.target && /^(.|Enter|Backspace)$/u.test(key)
  const isForTools = isNext || (event.shiftKey ? key === 'Arrow' : key.length === 1 && !actions[key])
  // One after the other, since a letter may open what the next ones are typed into.
  const again = () =>
    requestAnimationFrame(() => {
      waiting.at = undefined
      const focused = document.activeElement
      if (tools?.current)
        pressAgain(event.nativeEvent, (isTyping(focused) ? focused : event.target) as HTMLElement)
    })
  const wait = () => {
    waiting.at = event.target
    withTools?.(again)
  }
  const action = isForTools && tools && !tools.current ? wait : actions[key]
  if (!action) return
  event.preventDefault()
  action()
}

function focusNeighbor(stage: Stage, { key }: KeyboardEvent, card: Card) {
  const { board, visible } = stage.now()
  const next = isArrow(key) && neighbor(board, visible, card, key)
  if (next) stage.focusCard(next.id)
}

function focusAt(stage: Stage, card: Card, place: number) {
  const found = stage
    .now()
    .visible.get(card.group_id as number)
    ?.at(place)
  if (found) stage.focusCard(found.id)
}

function lift({ now, setMoving }: Stage, card: Card) {
  const { visible, refusal } = now()
  if (refusal !== undefined) return announce(refusal)
  const groupId = card.group_id as number
  const cards = visible.get(groupId) ?? []
  const place = cards.findIndex(({ id }) => id === card.id)
  const landing = { groupId, before: cards[place + 1]?.id ?? null }
  setMoving({ kind: 'card', cardId: card.id, landing, byKeyboard: true })
  announce(
    t('Lifted {card}. Use the arrow keys to choose a position, Space to drop, Escape to cancel.', {
      card: card.title,
    }),
  )
}

function remove({ now, cards, focusCard }: Stage, card: Card) {
  const { board, visible, deleteRefusal } = now()
  const refusal = deleteRefusal(card)
  if (refusal !== undefined) return announce(refusal)
  const next = neighbor(board, visible, card, 'ArrowDown') ?? neighbor(board, visible, card, 'ArrowUp')
  cards.remove(card)
  if (next) focusCard(next.id)
}

function onLiftedKey(stage: Stage, event: KeyboardEvent, card: Card, landing: Landing) {
  const { now, setMoving, move, showCard } = stage
  event.preventDefault()
  event.stopPropagation()
  const { board, visible } = now()
  if (isArrow(event.key)) {
    const next = nextLanding(board, visible, card.id, landing, event.key)
    setMoving({ kind: 'card', cardId: card.id, landing: next, byKeyboard: true })
    announceLanding(board, visible, card.id, next)
  } else if (event.key === ' ' || event.key === 'Enter') {
    setMoving(undefined)
    move(card.id, landing)
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    setMoving(undefined)
    showCard(card.id)
    announce(t('{card} is back where it was.', { card: card.title }))
  }
}
