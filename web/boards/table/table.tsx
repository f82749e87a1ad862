import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { rememberOpened } from '../../ui/returning.ts'
import { Empty } from '../../ui/states.tsx'
import { locale } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { useAddress } from '../filter/address.ts'
import type { Listing } from '../listing.ts'
import { useRenameUnlessDeleted } from '../renaming.ts'
import { onCardClick, onSelectionKey, type Selectable, type Selecting } from '../selecting.ts'
import { knownStatuses } from '../signs.tsx'
import type { ListedCard } from '../types.ts'
import { rowHeight, useActiveCell } from './active-cell.ts'
import type { Edited, Editing } from './cell.tsx'
import { cellAt, elementAt, linkedCard } from './elements.ts'
import { HeadRow } from './head-row.tsx'
import { HeadingRow } from './heading-row.tsx'
import { nextCell } from './next-cell.ts'
import { type Names, rowsOf, sorted } from './rows.ts'
import { readShape, TableTools } from './shape.tsx'
import type { Slot } from './slots.ts'
import './table.css'
import { type Column, TableRow } from './table-row.tsx'

interface Props<Card extends ListedCard> {
  label: string
  cards: readonly Card[]
  listing: Listing
  hrefOf(card: Card): string
  /** Closing an opened card leads back here. */
  isFromList?: boolean
  openCardId?: number | undefined
  /** A card that focus returns to, once its panel is closed. */
  returnTo?: number | undefined
  onChange: Editing['onChange']
  canMove: boolean
  onRename: ((card: ListedCard, title: string, begun?: string) => Promise<unknown>) | undefined
  /** Set where several cards can be selected. */
  selecting?: Selecting | undefined
}

const { compare } = new Intl.Collator(locale, { numeric: true })

/** Cards as rows: sorted, grouped and with columns as the address says, changed in place. Only rows in sight are drawn. */
export default function CardTable<Card extends ListedCard>(props: Props<Card>) {
  const { label, listing, hrefOf, isFromList, openCardId, returnTo, onChange, canMove, onRename } = props
  const { selecting } = props
  const { search, set } = useAddress()
  const [, navigate] = useLocation()
  const shape = useMemo(() => readShape(search), [search])
  const { sorting, grouping } = shape
  const hasBoards = listing.groups.values().some(({ board }) => board !== undefined)
  const columns = useMemo(
    () => shape.columns.filter((column) => column !== 'board' || hasBoards),
    [shape.columns, hasBoards],
  )
  const [renamed, setRenamed] = useState<number>()
  const cards = useWithRenamed(props.cards, renamed)
  const rows = useMemo(() => {
    const names = namesOf(listing)
    return rowsOf(sorted(cards, sorting, names), grouping, names)
  }, [cards, listing, sorting, grouping])
  const scroller = useRef<HTMLDivElement>(null)
  const [edited, setEdited] = useState<Edited>()
  /** The button of the open cell, if the pointer went down on it. */
  const wasEdited = useRef<Element>(null)
  const active = useActiveCell(rows, scroller, edited !== undefined)
  const { wantsFocus } = active
  // The one that closes may not be the one that is open by now.
  const close = useCallback((one: Edited) => setEdited((now) => (now === one ? undefined : now)), [])
  const endRenaming = useCallback(
    (byKey: boolean) => {
      wantsFocus.current = byKey
      setRenamed(undefined)
    },
    [wantsFocus],
  )
  const rename = useRenameUnlessDeleted(props.cards, onRename)
  const selectable: Selectable = {
    order: () => active.order,
    next(cardId, key) {
      const step = { ArrowUp: -1, ArrowDown: 1 }[key]
      return step === undefined ? undefined : active.order[active.order.indexOf(cardId) + step]
    },
    focusCard: active.focusCard,
  }
  const latest = useRef(selectable)
  latest.current = selectable
  useImperativeHandle(selecting?.view, () => selectable)
  useEffect(() => {
    if (returnTo !== undefined) latest.current.focusCard(returnTo)
  }, [returnTo])
  const onSelectionKeyOf = (event: KeyboardEvent): boolean => {
    const cardId = rows[active.place]?.card.id
    if (!selecting || cardId === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
    const { selection, onKey } = selecting
    return onKey(event, cardId) || onSelectionKey(selectable, selection, event, cardId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2' && onRename) setRenamed(linkedCard(event.target))
    // Keys of an open field or list are not for the table.
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) return
    if (onSelectionKeyOf(event)) return event.preventDefault()
    const next = nextCell(event, { rows, columns, place: Math.max(active.place, 0), column: active.column })
    if (!next) return
    event.preventDefault()
    active.focusOn(next.place, next.column)
  }
  const onClickCapture = (event: MouseEvent) => {
    const cardId = linkedCard(event.target)
    // While it is captured, since a click that selects does not open the card.
    if (selecting && cardId !== undefined) onCardClick(selectable, selecting.selection, event, cardId)
  }
  const onClick = (event: MouseEvent) => {
    const cell = cellAt(event.target)
    const pressed = elementAt(event.target, 'a, button')
    if (!cell || !pressed) return
    const { cardId, column } = cell
    if (pressed instanceof HTMLAnchorElement) {
      if (isForBrowser(event)) return
      event.preventDefault()
      if (isFromList) rememberOpened(cardId)
      navigate(pressed.getAttribute('href') as string, { state: { isFromList } })
    } else if (pressed.matches('.card-table-rename')) setRenamed(cardId)
    else if (column !== 'title' && pressed.matches('.card-table-value')) {
      // If it was open, this press has already closed it.
      if (wasEdited.current !== pressed)
        setEdited({ cardId, column, anchor: { current: pressed as HTMLButtonElement } })
      wasEdited.current = null
    }
  }
  const rowAt = ({ key, index }: Slot) => {
    const row = rows[index]
    if (!row) return null
    const [place, top] = [index + 2, index * rowHeight]
    if (row.kind === 'heading')
      return (
        grouping && (
          <HeadingRow key={key} {...{ grouping, listing, place, top }} value={row.value} count={row.count} />
        )
      )
    const { card } = row
    return (
      <TableRow
        key={key}
        {...{ card, columns, listing, place, top, onChange, canMove }}
        href={hrefOf(card)}
        isOpen={card.id === openCardId}
        active={card.id === active.tabStop ? active.column : undefined}
        edited={card.id === edited?.cardId ? edited : undefined}
        onClose={close}
        isRenaming={card.id === renamed}
        onRename={rename}
        onRenamed={endRenaming}
        selection={selecting?.selection}
      />
    )
  }
  const isWide = useIsWide(scroller, columns)
  const template = `minmax(var(--card-table-title), 1fr) ${columns.map((column) => `var(--card-table-${column})`).join(' ')}`
  return (
    <div className="card-table-view">
      <TableTools shape={shape} hasBoards={hasBoards} onChange={set} />
      <div ref={scroller} className="card-table-scroller slim-scroll" data-wide={isWide}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do. */}
        <div
          role="grid"
          className="card-table-grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable={selecting ? true : undefined}
          tabIndex={-1}
          style={{ '--card-table-template': template } as CSSProperties}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => active.follow(cellAt(target))}
          onPointerDown={({ target }) => {
            wasEdited.current = elementAt(target, 'button[aria-expanded=true]')
          }}
          onClickCapture={onClickCapture}
          onClick={onClick}
        >
          <HeadRow columns={columns} sorting={sorting} set={set} />
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          <div role="rowgroup" className="card-table-rows" style={{ height: active.height }}>
            {active.slots.map(rowAt)}
          </div>
        </div>
        {rows.length === 0 && (
          <Empty title={t('No cards to show')}>{t('Add a card, or change the filters.')}</Empty>
        )}
      </div>
    </div>
  )
}

/** The cards with the one that is being renamed, which stays until that ends, even if it was deleted or is hidden by now. */
function useWithRenamed<Card extends ListedCard>(cards: readonly Card[], id: number | undefined) {
  const last = useRef<{ card: Card; place: number }>(undefined)
  const place = id === undefined ? -1 : cards.findIndex((card) => card.id === id)
  const present = cards[place]
  if (present) last.current = { card: present, place }
  const held = id !== undefined && !present && last.current?.card.id === id ? last.current : undefined
  return useMemo(() => (held ? cards.toSpliced(held.place, 0, held.card) : cards), [cards, held])
}

/** Opens a new tab or window, or a menu. */
const isForBrowser = ({ ctrlKey, metaKey, altKey, shiftKey, button }: MouseEvent) =>
  ctrlKey || metaKey || altKey || shiftKey || button !== 0

/** Whether the columns need more room than there is, so that they are scrolled below the titles. */
function useIsWide(scroller: RefObject<HTMLElement | null>, columns: readonly Column[]): boolean {
  const [isWide, setWide] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns need other room.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, columns])
  return isWide
}

const titlesOf = <Thing,>(things: ReadonlyMap<number, Thing>, titleOf: (thing: Thing) => string) =>
  new Map([...things].map(([id, thing]) => [id, titleOf(thing)]))

const namesOf = ({ groups, tags, members }: Listing): Names => ({
  groups: titlesOf(groups, ({ title }) => title),
  boards: titlesOf(groups, ({ board }) => board?.title ?? ''),
  tags: titlesOf(tags, ({ name }) => name),
  members: titlesOf(members, ({ name }) => name),
  statuses: knownStatuses,
  compare,
})
