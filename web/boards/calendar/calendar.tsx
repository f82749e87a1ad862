import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, IconButton } from '../../ui/button.tsx'
import { useTimely } from '../../ui/clock.ts'
import { typedDateOf } from '../../ui/date/typed-date.ts'
import { firstWeekday } from '../../ui/date/week.ts'
import { usePrinting } from '../../ui/printing.ts'
import { Segments } from '../../ui/segments.tsx'
import { locale } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { useAddress } from '../filter/address.ts'
import type { ListedCard } from '../types.ts'
import './calendar.css'
import { Day } from './day.tsx'
import { byDay, daysOf, type Span, stepped } from './days.ts'
import { useMoving, useTurnWhileDragging } from './moving.ts'

interface Props<Card extends ListedCard> {
  label: string
  cards: readonly Card[]
  hrefOf(card: Card): string
  /** Closing an opened card leads back here. */
  isFromList?: boolean
  openCardId?: number | undefined
  /** A card that focus returns to, once its panel is closed. */
  returnTo?: number | undefined
  /** Undefined if dates cannot be changed. */
  onMove: ((card: Card, day: string) => void) | undefined
  /** Adds a card on a day. */
  onAdd?: ((day: string) => void) | undefined
}

const titles = {
  month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  week: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
}
const weekdays = {
  short: new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }),
  long: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
}
const asDate = (day: string) => new Date(`${day}T00:00Z`)

/** The heights of a card with its gap, of the number of a day with its padding, and of the weekdays, as in calendar.css. */
const chipHeight = 26
const dayPadding = 32
const headHeight = 24 + 16
/** A week shows more cards, one below the other. */
const mostInWeek = 30

/** Cards on the days on which they are due, by month or week; dragging one changes its date. */
export default function CardCalendar<Card extends ListedCard>(props: Props<Card>) {
  const { label, cards, hrefOf, isFromList, openCardId, returnTo, onMove, onAdd } = props
  const { search, set } = useAddress()
  const today = useTimely(() => typedDateOf(new Date()).date)
  const span: Span = search.get('span') === 'week' ? 'week' : 'month'
  const asked = search.get('at') ?? ''
  const at =
    /^\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(asked) && !Number.isNaN(asDate(asked).getTime()) ? asked : today
  const days = useMemo(() => daysOf(at, span, firstWeekday), [at, span])
  const held = useMemo(() => byDay(cards, days), [cards, days])
  const grid = useRef<HTMLTableElement>(null)
  const height = useHeight(grid)
  const weekHeight = (height - headHeight) / (days.length / 7)
  const isPrinting = usePrinting()
  const perDay = isPrinting
    ? Number.POSITIVE_INFINITY
    : span === 'week'
      ? mostInWeek
      : Math.max(2, Math.floor((weekHeight - dayPadding) / chipHeight))
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7))
  const undated = useMemo(() => cards.filter(({ due_date }) => due_date === null).length, [cards])
  const [first = at] = days
  const last = days.at(-1) ?? at
  const title =
    span === 'month' ? titles.month.format(asDate(at)) : titles.week.formatRange(asDate(first), asDate(last))
  const go = (day: string) => set('at', day === today ? undefined : day)
  const back = () => go(stepped(at, span, -1))
  const on = () => go(stepped(at, span, 1))
  const backButton = useTurnWhileDragging(back)
  const onButton = useTurnWhileDragging(on)
  const moving = useMoving({
    grid,
    cards,
    days,
    held,
    returnTo,
    daysWith: (day) => daysOf(day, span, firstWeekday),
    onTurn: go,
    onMove,
  })
  return (
    <div className="card-calendar">
      <div className="card-calendar-tools">
        <IconButton
          label={span === 'month' ? t('Previous month') : t('Previous week')}
          icon={<ChevronLeft />}
          ref={backButton}
          onClick={back}
        />
        <IconButton
          label={span === 'month' ? t('Next month') : t('Next week')}
          icon={<ChevronRight />}
          ref={onButton}
          onClick={on}
        />
        <h2 aria-live="polite">{title}</h2>
        <Button look="quiet" onClick={() => go(today)}>
          {t('Today')}
        </Button>
        <Segments
          label={t('Month or week')}
          chosen={span}
          choices={{ month: t('Month'), week: t('Week') }}
          onChoose={(next) => set('span', next === 'month' ? undefined : next)}
        />
        {undated > 0 && (
          <Link className="card-calendar-undated" href={undatedHref(search)}>
            {counted(undated, {
              one: '{count} card without a due date',
              other: '{count} cards without a due date',
            })}
          </Link>
        )}
      </div>
      {onMove && (
        <p id="calendar-keys" className="visually-hidden">
          {t('Press Space to lift, the arrow keys to choose a day, Space to drop, Escape to cancel.')}
        </p>
      )}
      <div className="card-calendar-scroller slim-scroll">
        <table
          ref={grid}
          className="card-calendar-grid"
          data-span={span}
          aria-label={label}
          style={{ '--week-height': `${weekHeight}px` } as CSSProperties}
        >
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th key={day} scope="col" abbr={weekdays.long.format(asDate(day))}>
                  {weekdays.short.format(asDate(day))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <Day
                    key={day}
                    day={day}
                    cards={moving.shown.get(day) ?? []}
                    most={perDay}
                    isToday={day === today}
                    isOutside={span === 'month' && day.slice(0, 7) !== at.slice(0, 7)}
                    openCardId={openCardId}
                    hrefOf={hrefOf}
                    isFromList={isFromList}
                    moving={moving}
                    canMove={onMove !== undefined}
                    onAdd={onAdd}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Shows them in a table, where dates can be given. */
function undatedHref(search: URLSearchParams): string {
  const next = new URLSearchParams(search)
  next.set('view', 'table')
  next.set('due', 'none')
  return `?${next}`
}

/** The height of what the calendar scrolls in. */
function useHeight(grid: { readonly current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const scroller = grid.current?.parentElement
    if (!scroller) return
    const observer = new ResizeObserver(() => setHeight(scroller.clientHeight))
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [grid])
  return height
}
