import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { addDays } from '../../ui/date/calendar-date.ts'
import { dates } from '../../ui/date/date-words.ts'
import { expectFocus } from '../../ui/keep-focus.ts'
import { dragByTouch } from '../../ui/touch.ts'
import { t } from '../../words/words.ts'
import type { ListedCard } from '../types.ts'
import { dueDayOf } from './days.ts'

interface Lifted {
  cardId: number
  /** The day where it would land. */
  day: string | undefined
  byKeyboard: boolean
}

interface Awaited {
  cardId: number
  day?: string
}

interface Props<Card extends ListedCard> {
  grid: RefObject<HTMLElement | null>
  cards: readonly Card[]
  days: readonly string[]
  held: ReadonlyMap<string, readonly Card[]>
  returnTo: number | undefined
  /** The days that are shown with this one. */
  daysWith(day: string): readonly string[]
  /** Shows this day. */
  onTurn(day: string): void
  onMove: ((card: Card, day: string) => void) | undefined
}

/** Moves cards between days by mouse, touch and keyboard, and the focus between cards. */
export interface Moving<Card extends ListedCard = ListedCard> {
  /** The cards of each day, with one that is carried by keys from days that are no longer shown. */
  shown: ReadonlyMap<string, readonly Card[]>
  lifted: Lifted | undefined
  /** The one card that Tab reaches. */
  tabStop: number | undefined
  /** The card that is to take the focus once it is drawn; after a move, on its new day. */
  awaited: RefObject<Awaited | undefined>
  onFocus(cardId: number): void
  onBlur(): void
  onKeyDown(event: KeyboardEvent, cardId: number, day: string): void
}

/** How long it may take until a card is drawn on its new day. */
const framesOfMove = 20

/** How long a card is held over a button until it turns the page, and then again. */
const turnMilliseconds = 1000

/** A button that turns the page also while a card is held over it. */
export function useTurnWhileDragging(turn: () => void) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(turn)
  latest.current = turn
  useEffect(() => {
    if (!button.current) return
    let timer: ReturnType<typeof setInterval>
    const stop = () => clearInterval(timer)
    const detach = dropTargetForElements({
      element: button.current,
      canDrop: ({ source }) => source.data['kind'] === 'dated card',
      onDragEnter() {
        timer = setInterval(() => latest.current(), turnMilliseconds)
      },
      onDragLeave: stop,
      onDrop: stop,
    })
    return () => {
      stop()
      detach()
    }
  }, [])
  return button
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

export function useMoving<Card extends ListedCard>({
  grid,
  cards,
  days,
  held,
  returnTo,
  daysWith,
  onTurn,
  onMove,
}: Props<Card>): Moving<Card> {
  const [lifted, setLifted] = useState<Lifted>()
  const [focused, setFocused] = useState<number>()
  const awaited = useRef<Awaited>(undefined)
  const focusOn = (next: Awaited) => {
    awaited.current = next
    setFocused(next.cardId)
  }
  const all = [...held.values()].flat()
  const cardOf = (id: number) => cards.find((card) => card.id === id)
  const ownDayOf = (id: number) => {
    const card = cardOf(id)
    return card && dueDayOf(card)
  }
  const landing = lifted?.byKeyboard ? lifted.day : undefined
  const carried =
    landing && !all.some(({ id }) => id === lifted?.cardId) ? cardOf(lifted?.cardId ?? 0) : undefined
  const shown =
    carried && landing ? new Map(held).set(landing, [carried, ...(held.get(landing) ?? [])]) : held
  /** The focus follows a card that is drawn elsewhere. */
  const follow = (cardId: number, day: string) => {
    const own = ownDayOf(cardId)
    if (!days.includes(day)) onTurn(day)
    if (!carried && days.includes(day)) return
    focusOn({ cardId, day: own !== undefined && daysWith(day).includes(own) ? own : day })
    expectFocus(framesOfMove)
  }
  const drop = (cardId: number, day: string | undefined) => {
    setLifted(undefined)
    const card = cardOf(cardId)
    if (!card || day === undefined) return
    if (ownDayOf(cardId) === day) return follow(cardId, day)
    focusOn({ cardId, day })
    expectFocus(framesOfMove)
    onMove?.(card, day)
  }
  const latest = useRef(drop)
  latest.current = drop
  useEffect(() => {
    const scroller = grid.current?.parentElement
    if (!scroller) return
    const cardIdOf = (source: { data: Record<string | symbol, unknown> }) => source.data['cardId'] as number
    const dayOf = (targets: readonly { data: Record<string | symbol, unknown> }[]) =>
      targets[0]?.data['day'] as string | undefined
    return combine(
      monitorForElements({
        canMonitor: ({ source }) => source.data['kind'] === 'dated card',
        onDragStart: ({ source }) =>
          setLifted({ cardId: cardIdOf(source), day: undefined, byKeyboard: false }),
        onDropTargetChange: ({ source, location }) =>
          setLifted({
            cardId: cardIdOf(source),
            day: dayOf(location.current.dropTargets),
            byKeyboard: false,
          }),
        onDrop: ({ source, location }) =>
          latest.current(cardIdOf(source), dayOf(location.current.dropTargets)),
      }),
      autoScrollForElements({ element: scroller }),
      dragByTouch(scroller),
    )
  }, [grid])
  useEffect(() => {
    if (returnTo === undefined) return
    awaited.current = { cardId: returnTo }
    setFocused(returnTo)
  }, [returnTo])

  const moveFocus = (step: number, cardId: number, day: string) => {
    const within = held.get(day) ?? []
    const place = within.findIndex(({ id }) => id === cardId)
    const nextHere = Math.abs(step) === 7 ? within[place + Math.sign(step)] : undefined
    const others =
      step > 0 ? days.filter((other) => other > day) : days.filter((other) => other < day).reverse()
    const there = others.map((other) => held.get(other) ?? []).find((some) => some.length > 0)
    const next = nextHere ?? (step > 0 ? there?.[0] : step === -7 ? there?.at(-1) : there?.[0])
    if (next) focusOn({ cardId: next.id })
  }
  const onKeyDown = (event: KeyboardEvent, cardId: number, day: string) => {
    const isLifted = lifted?.byKeyboard && lifted.cardId === cardId
    const step = steps[event.key]
    if (step !== undefined && isLifted) {
      const next = addDays(lifted.day ?? day, step)
      setLifted({ ...lifted, day: next })
      follow(cardId, next)
      announce(dates.full({ date: next }))
    } else if (step !== undefined) moveFocus(step, cardId, day)
    else if (event.key === ' ' && onMove && !isLifted) {
      setLifted({ cardId, day, byKeyboard: true })
      announce(t('Lifted. Choose a day with the arrow keys.'))
    } else if (isLifted && (event.key === ' ' || event.key === 'Enter')) drop(cardId, lifted.day)
    else if (isLifted && event.key === 'Escape') {
      setLifted(undefined)
      follow(cardId, ownDayOf(cardId) ?? day)
      announce(t('Canceled. The card stays where it was.'))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    shown,
    lifted,
    tabStop: carried?.id ?? all.find(({ id }) => id === focused)?.id ?? all[0]?.id,
    awaited,
    onFocus: setFocused,
    onBlur: () => setLifted((now) => (now?.byKeyboard && document.hasFocus() ? undefined : now)),
    onKeyDown,
  }
}
