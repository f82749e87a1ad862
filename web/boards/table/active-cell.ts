// The one cell of a table that Tab reaches, and the rows that are drawn: those in sight and the one with this cell.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usePrinting } from '../../ui/printing.ts'
import type { ListedCard } from '../types.ts'
import { type CellOfCard, focusable } from './elements.ts'
import type { Row } from './rows.ts'
import { useSlots } from './slots.ts'
import type { Column } from './table-row.tsx'

export const rowHeight = 40

/** `isEdited` keeps the drawn rows in their order. */
export function useActiveCell(
  rows: readonly Row<ListedCard>[],
  scroller: RefObject<HTMLElement | null>,
  isEdited: boolean,
) {
  /** The places of cards among the rows, by their id. */
  const places = useMemo(
    () =>
      new Map(rows.flatMap(({ kind, card }, place) => (kind === 'card' ? [[card.id, place] as const] : []))),
    [rows],
  )
  const order = useMemo(() => [...places.keys()], [places])
  const [active, setActive] = useState<CellOfCard>()
  const place = (active && places.get(active.cardId)) ?? -1
  const { slots, height, scrollTo } = useRowsInSight(rows, scroller, { place, isEdited })
  /** True if the active cell is to take the focus once it is drawn. */
  const wantsFocus = useRef(false)
  useEffect(() => {
    const cell = wantsFocus.current && active && focusable(scroller.current, active)
    if (!cell) return
    wantsFocus.current = false
    cell.focus({ preventScroll: true })
  })
  const focusOn = (wanted: number, column: Column) => {
    const row = rows[wanted]
    if (row?.kind !== 'card') return
    wantsFocus.current = true
    setActive({ cardId: row.card.id, column })
    scrollTo(wanted)
  }
  return {
    /** -1 if its card is not in the table, or if no cell had the focus yet. */
    place,
    column: place === -1 ? 'title' : (active?.column ?? 'title'),
    /** The card in whose row Tab stops. */
    tabStop: place === -1 ? order[0] : active?.cardId,
    /** The ids of the cards, as they are shown. */
    order,
    focusOn,
    focusCard: (cardId: number) => focusOn(places.get(cardId) ?? -1, 'title'),
    wantsFocus,
    /** Follows the focus. */
    follow(cell: CellOfCard | undefined) {
      if (cell && (cell.cardId !== active?.cardId || cell.column !== active.column)) setActive(cell)
    },
    slots,
    height,
  }
}

/** The elements for the rows in sight, and for the row at the place. */
function useRowsInSight(
  rows: readonly Row<ListedCard>[],
  scroller: RefObject<HTMLElement | null>,
  { place, isEdited }: { place: number; isEdited: boolean },
) {
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
        return place === -1 || seen.includes(place) ? seen : [...seen, place].sort((a, b) => a - b)
      },
      [place, isPrinting],
    ),
  })
  const slots = useSlots(
    rows,
    virtualizer.getVirtualItems().map(({ index }) => index),
    virtualizer.isScrolling || isEdited,
  )
  return {
    slots,
    height: virtualizer.getTotalSize(),
    scrollTo: (wanted: number) => virtualizer.scrollToIndex(wanted),
  }
}
