import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { isOverdue } from '#boards/card/due.ts'
import { useTimely } from '../../ui/clock.ts'
import { dateText } from '../../ui/date/date-text.ts'
import { dates } from '../../ui/date/date-words.ts'
import { Popover, usePopover } from '../../ui/popover.tsx'
import { rememberOpened } from '../../ui/returning.ts'
import { hidden } from '../../words/hidden.tsx'
import { formatNumber, locale } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { StatusSign, statusName } from '../signs.tsx'
import type { ListedCard } from '../types.ts'
import type { Moving } from './moving.ts'

interface Props<Card extends ListedCard> {
  day: string
  cards: readonly Card[]
  /** How many are shown at once. */
  most: number
  isToday: boolean
  /** Of another month. */
  isOutside: boolean
  openCardId: number | undefined
  hrefOf(card: Card): string
  isFromList: boolean | undefined
  moving: Moving
  canMove: boolean
  onAdd: ((day: string) => void) | undefined
}

/** The list of all cards of a day is cut here; the table shows every card. */
const mostInList = 200

const weekday = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
/** Without the year, which the calendar has above. */
const inWeek = (day: string) => dateText(weekday, new Date(day))

const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })

/** A day of the calendar, where cards can be dropped. */
export function Day<Card extends ListedCard>(props: Props<Card>) {
  const { day, cards, most, isToday, isOutside, moving, onAdd } = props
  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(
    () =>
      cell.current
        ? dropTargetForElements({
            element: cell.current,
            canDrop: ({ source }) => source.data['kind'] === 'dated card',
            getData: () => ({ day }),
          })
        : undefined,
    [day],
  )
  // The last line says how many more there are. The focused card is always among those shown.
  const shown = cards.length <= most ? cards : cards.slice(0, most - 1)
  const tabbed = cards.find(({ id }) => id === moving.tabStop)
  const listed = tabbed && !shown.includes(tabbed) ? [...shown.slice(0, -1), tabbed] : shown
  return (
    <td
      ref={cell}
      className="card-calendar-day"
      data-today={isToday}
      data-outside={isOutside}
      data-target={moving.lifted?.day === day}
    >
      {onAdd && (
        <button
          type="button"
          className="card-calendar-add"
          // With the keyboard, C adds a card; a stop on every day would be in the way.
          tabIndex={-1}
          aria-label={t('Add card on {day}', { day: dates.full({ date: day }) })}
          onClick={() => onAdd(day)}
        />
      )}
      <time
        dateTime={day}
        className="card-calendar-number numbers"
        aria-current={isToday ? 'date' : undefined}
      >
        <span aria-hidden="true" className="card-calendar-digits">
          {Number(day.slice(8))}
        </span>
        <span aria-hidden="true" className="card-calendar-date">
          {inWeek(day)}
        </span>
        <span className="visually-hidden">{dates.full({ date: day })}</span>
      </time>
      {cards.length > 0 && (
        <ul className="card-calendar-cards">
          {listed.map((card) => (
            <Chip key={card.id} {...props} card={card} />
          ))}
        </ul>
      )}
      {cards.length > 0 && <More {...props} hiddenCount={cards.length - shown.length} />}
    </td>
  )
}

function Chip<Card extends ListedCard>(props: Props<Card> & { card: Card }) {
  const { card, day, openCardId, hrefOf, isFromList, moving, canMove } = props
  const item = useRef<HTMLLIElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const isTabStop = moving.tabStop === card.id
  const isLate = useTimely(() => isOverdue(card))
  useEffect(
    () =>
      item.current
        ? draggable({
            element: item.current,
            canDrag: () => canMove,
            getInitialData: () => ({ kind: 'dated card', cardId: card.id }),
          })
        : undefined,
    [card.id, canMove],
  )
  useEffect(() => {
    const { current: awaited } = moving.awaited
    if (awaited?.cardId !== card.id || (awaited.day ?? day) !== day) return
    moving.awaited.current = undefined
    link.current?.focus()
  })
  return (
    <li
      ref={item}
      className="card-calendar-chip"
      data-card-row
      data-open={card.id === openCardId}
      data-moving={moving.lifted?.cardId === card.id}
      data-overdue={isLate}
      data-closed={card.status === 'closed'}
    >
      <span role="img" aria-label={statusName(card.status)}>
        <StatusSign status={card.status} />
      </span>
      <Link
        ref={link}
        href={hrefOf(card)}
        state={{ isFromList }}
        draggable={false}
        className="truncate"
        tabIndex={isTabStop ? 0 : -1}
        data-card-id={card.id}
        aria-describedby={canMove ? 'calendar-keys' : undefined}
        aria-current={card.id === openCardId || undefined}
        dir="auto"
        onClick={() => isFromList && rememberOpened(card.id)}
        onFocus={() => moving.onFocus(card.id)}
        onBlur={moving.onBlur}
        onKeyDown={(event) => moving.onKeyDown(event, card.id, day)}
      >
        {card.title}
      </Link>
      {isLate && hidden(t('Overdue'))}
      {card.due_date !== null && !card.due_is_date && (
        <span className="card-calendar-time numbers">{clock.format(new Date(card.due_date))}</span>
      )}
    </li>
  )
}

/** The cards of a day that do not fit; on a phone, all of them. */
function More<Card extends ListedCard>({
  day,
  cards,
  hrefOf,
  isFromList,
  hiddenCount,
}: Props<Card> & { hiddenCount: number }) {
  const state = usePopover()
  return (
    <>
      <button
        type="button"
        className="card-calendar-more numbers"
        data-needed={hiddenCount > 0}
        aria-haspopup="dialog"
        {...state.triggerProps}
      >
        <span aria-hidden="true" className="card-calendar-hidden">
          {t('{count} more', { count: hiddenCount })}
        </span>
        <span aria-hidden="true" className="card-calendar-all">
          {formatNumber(cards.length)}
        </span>
        {hidden(
          counted(
            cards.length,
            { one: 'Show {count} card on {day}', other: 'Show all {count} cards on {day}' },
            { day: dates.full({ date: day }) },
          ),
        )}
      </button>
      <Popover state={state} className="card-calendar-popover">
        <section aria-label={dates.full({ date: day })}>
          <h3>{inWeek(day)}</h3>
          <ul>
            {cards.slice(0, mostInList).map((card) => (
              <li key={card.id}>
                <Link
                  href={hrefOf(card)}
                  state={{ isFromList }}
                  className="menu-item"
                  dir="auto"
                  onClick={() => {
                    if (isFromList) rememberOpened(card.id)
                    state.close()
                  }}
                >
                  <StatusSign status={card.status} />
                  <span className="truncate">{card.title}</span>
                </Link>
              </li>
            ))}
          </ul>
          {cards.length > mostInList && (
            <p>
              {counted(cards.length - mostInList, {
                one: '{count} more card is in the table view.',
                other: '{count} more cards are in the table view.',
              })}
            </p>
          )}
        </section>
      </Popover>
    </>
  )
}
