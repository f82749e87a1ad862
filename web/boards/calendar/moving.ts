import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { dates } from '../../ui/date/date-words.ts'
import { addDays } from '../../ui/date/typed-date.ts'
import { expectFocus } from '../../ui/keep-focus.ts'
import { dragByTouch } from '../../ui/touch.ts'
import { t } from '../../words/words.ts'
import type { ListedCard } from '../types.ts'

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
  days: readonly string[]
  held: ReadonlyMap<string, readonly Card[]>
  returnTo: number | undefined
  onMove: ((card: Card, day: string) => void) | undefined
}

/** Moves cards between days by mouse, touch and keyboard, and the focus between cards. */
export interface Moving {
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

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

export function useMoving<Card extends ListedCard>({
  grid,
  days,
  held,
  returnTo,
  onMove,
}: Props<Card>): Moving {
  const [lifted, setLifted] = useState<Lifted>()
  const [focused, setFocused] = useState<number>()
  const awaited = useRef<Awaited>(undefined)
  const focusOn = (next: Awaited) => {
    awaited.current = next
    setFocused(next.cardId)
  }
  const all = [...held.values()].flat()
  const cardOf = (id: number) => all.find((card) => card.id === id)
  const drop = (cardId: number, day: string | undefined) => {
    setLifted(undefined)
    const card = cardOf(cardId)
    if (!card || day === undefined || held.get(day)?.includes(card)) return
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
      if (days.includes(next)) {
        setLifted({ ...lifted, day: next })
        announce(dates.full({ date: next }))
      }
    } else if (step !== undefined) moveFocus(step, cardId, day)
    else if (event.key === ' ' && onMove && !isLifted) {
      setLifted({ cardId, day, byKeyboard: true })
      announce(t('Lifted. Choose a day with the arrow keys.'))
    } else if (isLifted && (event.key === ' ' || event.key === 'Enter')) drop(cardId, lifted.day)
    else if (isLifted && event.key === 'Escape') {
      setLifted(undefined)
      announce(t('Canceled. The card stays where it was.'))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    lifted,
    tabStop: cardOf(focused ?? 0)?.id ?? all[0]?.id,
    awaited,
    onFocus: setFocused,
    onBlur: () => setLifted((now) => (now?.byKeyboard && document.hasFocus() ? undefined : now)),
    onKeyDown,
  }
}
