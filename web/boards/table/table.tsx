import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
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
import { usePrinting } from '../../ui/printing.ts'
import { rememberOpened } from '../../ui/returning.ts'
import { Empty } from '../../ui/states.tsx'
import { locale } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { useAddress } from '../filter/address.ts'
import type { Listing } from '../listing.ts'
import { useRenameUnlessDeleted } from '../renaming.ts'
import { onCardClick, onSelectionKey, type Selectable, type Selecting } from '../selecting.ts'
import { knownStatuses } from '../signs.tsx'
import type { ListedCard } from '../types.ts'
import type { Edited, Editing } from './cell.tsx'
import { chosenColumns } from './cells.tsx'
import { HeadRow } from './head-row.tsx'
import { type Names, rowsOf, sorted } from './rows.ts'
import { readShape, TableTools } from './shape.tsx'
import { useSlots } from './slots.ts'
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

const rowHeight = 40
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
  const [active, setActive] = useState<{ cardId: number; column: Column }>()
  const [edited, setEdited] = useState<Edited>()
  /** True if the active cell is to take the focus once it is drawn. */
  const wantsFocus = useRef(false)
  /** The button of the open cell, if the pointer went down on it. */
  const wasEdited = useRef<Element>(null)
  // The one that closes may not be the one that is open by now.
  const close = useCallback((one: Edited) => setEdited((now) => (now === one ? undefined : now)), [])
  const endRenaming = useCallback((byKey: boolean) => {
    wantsFocus.current = byKey
    setRenamed(undefined)
  }, [])
  const rename = useRenameUnlessDeleted(props.cards, onRename)
  /** The places of cards among the rows, by their id. */
  const places = useMemo(
    () =>
      new Map(rows.flatMap(({ kind, card }, place) => (kind === 'card' ? [[card.id, place] as const] : []))),
    [rows],
  )
  const order = useMemo(() => [...places.keys()], [places])
  const [firstCard] = order
  const activePlace = (active && places.get(active.cardId)) ?? -1
  const tabStop = activePlace === -1 ? firstCard : active?.cardId
  const activeColumn = activePlace === -1 ? 'title' : (active?.column ?? 'title')
  const isPrinting = usePrinting()
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The heading covers the top, and stays.
    scrollPaddingStart: rowHeight,
    rangeExtractor: useCallback(
      (range: Range) => {
        if (isPrinting) return Array.from({ length: range.count }, (_, index) => index)
        const seen = defaultRangeExtractor(range)
        return activePlace === -1 || seen.includes(activePlace)
          ? seen
          : [...seen, activePlace].sort((a, b) => a - b)
      },
      [activePlace, isPrinting],
    ),
  })
  const slots = useSlots(
    rows,
    virtualizer.getVirtualItems().map(({ index }) => index),
    virtualizer.isScrolling || edited !== undefined,
  )
  const focusOn = (place: number, column: Column) => {
    const row = rows[place]
    if (row?.kind !== 'card') return
    wantsFocus.current = true
    setActive({ cardId: row.card.id, column })
    virtualizer.scrollToIndex(place)
  }
  const selectable: Selectable = {
    order: () => order,
    next(cardId, key) {
      const step = { ArrowUp: -1, ArrowDown: 1 }[key]
      return step === undefined ? undefined : order[order.indexOf(cardId) + step]
    },
    focusCard: (cardId) => focusOn(places.get(cardId) ?? -1, 'title'),
  }
  const latest = useRef(selectable)
  latest.current = selectable
  useImperativeHandle(selecting?.view, () => selectable)
  const onSelectionKeyOf = (event: KeyboardEvent): boolean => {
    const cardId = rows[activePlace]?.card.id
    if (!selecting || cardId === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
    const { selection, onKey } = selecting
    return onKey(event, cardId) || onSelectionKey(selectable, selection, event, cardId)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F2' && onRename) setRenamed(linkedCard(event.target))
    // Keys of an open field or list are not for the table.
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) return
    if (onSelectionKeyOf(event)) return event.preventDefault()
    const next = nextCell(event, { rows, columns, place: Math.max(activePlace, 0), column: activeColumn })
    if (!next) return
    event.preventDefault()
    focusOn(next.place, next.column)
  }
  useEffect(() => {
    const cell = wantsFocus.current && active && focusable(scroller.current, active)
    if (!cell) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (returnTo !== undefined) latest.current.focusCard(returnTo)
  }, [returnTo])
  const onClickCapture = (event: MouseEvent) => {
    const cardId = linkedCard(event.target)
    // While it is captured, since a click that selects does not open the card.
    if (selecting && cardId !== undefined) onCardClick(selectable, selecting.selection, event, cardId)
  }
  const onClick = (event: MouseEvent) => {
    const cell = cellAt(event.target)
    const pressed = (event.target as Element).closest('a, button')
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
          onFocus={({ target }) => {
            const cell = cellAt(target)
            if (cell && (cell.cardId !== active?.cardId || cell.column !== active.column)) setActive(cell)
          }}
          onPointerDown={({ target }) => {
            wasEdited.current = elementAt(target, 'button[aria-expanded=true]')
          }}
          onClickCapture={onClickCapture}
          onClick={onClick}
        >
          <HeadRow columns={columns} sorting={sorting} set={set} />
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          <div role="rowgroup" className="card-table-rows" style={{ height: virtualizer.getTotalSize() }}>
            {slots.map(({ key, index }) => {
              const row = rows[index]
              if (!row) return null
              const top = index * rowHeight
              if (row.kind === 'heading')
                return (
                  // biome-ignore lint/a11y/useSemanticElements: as above.
                  // biome-ignore lint/a11y/useFocusableInteractive: it only names the rows below.
                  <div
                    key={key}
                    role="row"
                    aria-rowindex={index + 2}
                    className="card-table-row card-table-heading"
                    style={{ top }}
                  >
                    <Heading value={row.value} count={row.count} grouping={grouping} listing={listing} />
                  </div>
                )
              const { card } = row
              return (
                <TableRow
                  key={key}
                  card={card}
                  columns={columns}
                  listing={listing}
                  href={hrefOf(card)}
                  place={index + 2}
                  top={top}
                  isOpen={card.id === openCardId}
                  active={card.id === tabStop ? activeColumn : undefined}
                  edited={card.id === edited?.cardId ? edited : undefined}
                  onClose={close}
                  onChange={onChange}
                  canMove={canMove}
                  isRenaming={card.id === renamed}
                  onRename={rename}
                  onRenamed={endRenaming}
                  selection={selecting?.selection}
                />
              )
            })}
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

const elementAt = (target: EventTarget, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null

/** The card whose link it is. */
function linkedCard(target: EventTarget): number | undefined {
  const id = elementAt(target, '[data-card-id]')?.dataset['cardId']
  return id === undefined ? undefined : Number(id)
}

/** The cell of a card that an element is in. */
function cellAt(target: EventTarget) {
  const column = elementAt(target, '[data-column]')?.dataset['column'] as Column
  const cardId = elementAt(target, '[data-card-row]')?.dataset['cardRow']
  return cardId === undefined ? undefined : { cardId: Number(cardId), column }
}

/** What takes the focus in a cell. */
function focusable(table: HTMLElement | null, { cardId, column }: { cardId: number; column: Column }) {
  const cell = table?.querySelector<HTMLElement>(`[data-card-row="${cardId}"] > [data-column="${column}"]`)
  return cell?.querySelector<HTMLElement>(':scope > :is(a, .card-table-value)') ?? cell
}

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

interface HeadingProps {
  value: string | number | null
  count: number
  grouping: keyof typeof chosenColumns | undefined
  listing: Listing
}

function Heading({ value, count, grouping, listing }: HeadingProps) {
  if (!grouping) return null
  const { text, icon } = chosenColumns[grouping].show(value, listing)
  const board = grouping === 'group' ? listing.groups.get(value as number)?.board : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: it only names the rows below.
    <div role="rowheader" className="card-table-cell">
      {icon}
      <span className="truncate" dir="auto">
        {board ? `${board.title} › ${text}` : text}
      </span>
      <span className="card-table-count numbers">
        {counted(count, { one: '{count} card', other: '{count} cards' })}
      </span>
    </div>
  )
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

interface Position {
  rows: readonly { kind: 'heading' | 'card' }[]
  columns: readonly Column[]
  place: number
  column: Column
}

const pageRows = 10

/** The cell that a key leads to; headings of groups are skipped. */
function nextCell(event: KeyboardEvent, { rows, columns, place, column }: Position) {
  const all: Column[] = ['title', ...columns]
  const isCommand = event.ctrlKey || event.metaKey
  const at = all.indexOf(column)
  const beside = (step: number) => ({ place, column: all[at + step] ?? column })
  const vertically = (step: number) => {
    const direction = Math.sign(step)
    let next = Math.min(Math.max(place + step, 0), rows.length - 1)
    // Nothing is above the first heading.
    while (rows[next]?.kind === 'heading') next += next === 0 ? 1 : direction
    return rows[next] ? { place: next, column } : undefined
  }
  switch (event.key) {
    case 'ArrowLeft':
      return beside(-1)
    case 'ArrowRight':
      return beside(1)
    case 'ArrowUp':
      return vertically(-1)
    case 'ArrowDown':
      return vertically(1)
    case 'PageUp':
      return vertically(-pageRows)
    case 'PageDown':
      return vertically(pageRows)
    case 'Home':
      return isCommand
        ? { place: rows[0]?.kind === 'card' ? 0 : 1, column }
        : { place, column: 'title' as const }
    case 'End':
      return isCommand ? { place: rows.length - 1, column } : { place, column: all.at(-1) ?? column }
    default:
      return undefined
  }
}
