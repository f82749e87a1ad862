import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { usePrinting } from '../../ui/printing.ts'
import { Empty } from '../../ui/states.tsx'
import { locale } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { useAddress } from '../filter/address.ts'
import type { Listing } from '../listing.ts'
import { onSelectionKey, type Selectable, type Selecting } from '../selecting.ts'
import { knownStatuses } from '../signs.tsx'
import type { ListedCard } from '../types.ts'
import type { CellProps } from './cell.tsx'
import { chosenColumns } from './cells.tsx'
import { HeadRow } from './head-row.tsx'
import { type Names, rowsOf, sorted } from './rows.ts'
import { readShape, TableTools } from './shape.tsx'
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
  onChange: CellProps['onChange']
  canMove: boolean
  onRename: ((card: ListedCard, title: string) => Promise<unknown>) | undefined
  /** Set where several cards can be selected. */
  selecting?: Selecting | undefined
}

const rowHeight = 40
const { compare } = new Intl.Collator(locale, { numeric: true })

/** Cards as rows: sorted, grouped and with columns as the address says, changed in place. Only rows in sight are drawn. */
export default function CardTable<Card extends ListedCard>(props: Props<Card>) {
  const { label, cards, listing, hrefOf, isFromList, openCardId, returnTo, onChange, canMove, onRename } =
    props
  const { selecting } = props
  const { search, set } = useAddress()
  const shape = useMemo(() => readShape(search), [search])
  const { sorting, grouping } = shape
  const hasBoards = listing.groups.values().some(({ board }) => board !== undefined)
  const columns = useMemo(
    () => shape.columns.filter((column) => column !== 'board' || hasBoards),
    [shape.columns, hasBoards],
  )
  const rows = useMemo(() => {
    const names = namesOf(listing)
    return rowsOf(sorted(cards, sorting, names), grouping, names)
  }, [cards, listing, sorting, grouping])
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<{ cardId: number; column: Column }>()
  const wantsFocus = useRef(false)
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
  const activate = useCallback(
    (cardId: number, column: Column) =>
      setActive((now) => (now?.cardId === cardId && now.column === column ? now : { cardId, column })),
    [],
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
    // Keys of an open field or list are not for the table.
    if (event.defaultPrevented || event.target instanceof HTMLInputElement) return
    if (onSelectionKeyOf(event)) return event.preventDefault()
    const next = nextCell(event, { rows, columns, place: Math.max(activePlace, 0), column: activeColumn })
    if (!next) return
    event.preventDefault()
    focusOn(next.place, next.column)
  }
  useEffect(() => {
    if (returnTo !== undefined) latest.current.focusCard(returnTo)
  }, [returnTo])
  const template = `minmax(var(--card-table-title), 1fr) ${columns.map((column) => `var(--card-table-${column})`).join(' ')}`
  return (
    <div className="card-table-view">
      <TableTools shape={shape} hasBoards={hasBoards} onChange={set} />
      <div ref={scroller} className="card-table-scroller slim-scroll">
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
        >
          <HeadRow columns={columns} sorting={sorting} onSort={(sort) => set('sort', sort)} />
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          <div role="rowgroup" className="card-table-rows" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              if (!row) return null
              if (row.kind === 'heading')
                return (
                  // biome-ignore lint/a11y/useSemanticElements: as above.
                  // biome-ignore lint/a11y/useFocusableInteractive: it only names the rows below.
                  <div
                    key={`heading ${row.value}`}
                    role="row"
                    aria-rowindex={index + 2}
                    className="card-table-row card-table-heading"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <Heading value={row.value} count={row.count} grouping={grouping} listing={listing} />
                  </div>
                )
              const { card } = row
              return (
                <TableRow
                  key={card.id}
                  card={card}
                  columns={columns}
                  listing={listing}
                  href={hrefOf(card)}
                  isFromList={isFromList}
                  place={index + 2}
                  top={start}
                  isOpen={card.id === openCardId}
                  active={card.id === tabStop ? activeColumn : undefined}
                  wantsFocus={wantsFocus}
                  onActivate={activate}
                  onChange={onChange}
                  canMove={canMove}
                  onRename={onRename}
                  selecting={selecting}
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

interface HeadingProps {
  value: string | number | null
  count: number
  grouping: keyof typeof chosenColumns | undefined
  listing: Listing
}

function Heading({ value, count, grouping, listing }: HeadingProps) {
  if (!grouping) return null
  const { label, icon } = chosenColumns[grouping].show(value, listing)
  const board = grouping === 'group' ? listing.groups.get(value as number)?.board : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: it only names the rows below.
    <div role="rowheader" className="card-table-cell">
      {icon}
      <span className="truncate" dir="auto">
        {board ? `${board.title} › ${label}` : label}
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
  const at = all.indexOf(column)
  const beside = (step: number) => ({ place, column: all[at + step] ?? column })
  const vertically = (step: number) => {
    const direction = Math.sign(step)
    let next = Math.min(Math.max(place + step, 0), rows.length - 1)
    while (rows[next]?.kind === 'heading') next += direction
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
      return event.ctrlKey
        ? { place: rows[0]?.kind === 'card' ? 0 : 1, column }
        : { place, column: 'title' as const }
    case 'End':
      return event.ctrlKey ? { place: rows.length - 1, column } : { place, column: all.at(-1) ?? column }
    default:
      return undefined
  }
}
