import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode, useEffect, useRef } from 'react'
import { t } from '../words/words.ts'
import { useRowToggle } from './selection.ts'
import './fleet-table.css'

const rowHeight = 48
/** The next page is asked for before the last row is in sight. */
const rowsAhead = 30

export interface Column<Row, Sort extends string> {
  label: string
  /** A track of the grid, such as `120px`. */
  width: string
  /** By what the list is sorted when its heading is pressed. */
  sort?: Sort
  className?: string
  /** Left out on phones. */
  isOptional?: true
  /** Left out also where the list is narrower than on a wide screen. */
  isWide?: true
  /** The cell that names the row. */
  isName?: true
  cell(row: Row): ReactNode
}

interface Ordered<Sort extends string> {
  sort: Sort
  isDescending: boolean
  sortBy(by: Sort): void
}

interface Props<Row extends { id: number }, Sort extends string> {
  label: string
  rows: readonly Row[]
  /** How many match in all. */
  count: number
  columns: readonly Column<Row, Sort>[]
  /** What the checkbox of a row says. */
  nameOf(row: Row): string
  order: Ordered<Sort>
  selected: ReadonlySet<number>
  onSelect(selected: ReadonlySet<number>): void
  /** Loads the next page, if there is one. */
  onEnd: (() => void) | undefined
}

/** A list of the fleet as rows with checkboxes; only rows in sight are drawn. */
export function FleetTable<Row extends { id: number }, Sort extends string>(props: Props<Row, Sort>) {
  const { label, rows, count, columns, nameOf, order, selected, onSelect, onEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The heading covers the top, and stays.
    scrollPaddingStart: rowHeight,
  })
  const drawn = virtualizer.getVirtualItems()
  const isNearEnd = (drawn.at(-1)?.index ?? 0) >= rows.length - rowsAhead
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, onEnd])
  const toggle = useRowToggle(rows, selected, onSelect)
  const isAllSelected = rows.every(({ id }) => selected.has(id))
  const tracks = (shown: readonly { width: string }[]) =>
    ['32px', ...shown.map(({ width }) => width)].join(' ')
  const style = {
    '--fleet-columns': tracks(columns),
    '--fleet-medium-columns': tracks(columns.filter(({ isWide }) => !isWide)),
    '--fleet-narrow-columns': tracks(columns.filter(({ isOptional }) => !isOptional)),
  } as CSSProperties
  return (
    <div ref={scroller} className="fleet-scroller slim-scroll">
      {/* biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do. */}
      <div role="table" className="fleet-table" style={style} aria-label={label} aria-rowcount={count + 1}>
        <HeadRow columns={columns} order={order}>
          <input
            type="checkbox"
            aria-label={t('Select all in the list')}
            checked={isAllSelected}
            onChange={() => onSelect(new Set(isAllSelected ? [] : rows.map(({ id }) => id)))}
          />
        </HeadRow>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className="fleet-rows" style={{ height: virtualizer.getTotalSize() }}>
          {drawn.map(({ index, start }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <DrawnRow
                key={row.id}
                row={row}
                columns={columns as readonly Column<unknown, string>[]}
                name={nameOf(row)}
                place={index + 2}
                top={start}
                isSelected={selected.has(row.id)}
                id={row.id}
                onToggle={toggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HeadRow<Row, Sort extends string>({
  columns,
  order: { sort, isDescending, sortBy },
  children,
}: {
  columns: readonly Column<Row, Sort>[]
  order: Ordered<Sort>
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div role="rowgroup" className="fleet-head">
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons have the focus. */}
      <div role="row" aria-rowindex={1} className="fleet-row">
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the checkbox inside has the focus. */}
        <div role="columnheader" className="fleet-cell">
          {children}
        </div>
        {columns.map(({ label, sort: by, ...column }) => (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: the button inside has the focus.
          <div
            key={label}
            role="columnheader"
            className={classOf(column)}
            aria-sort={
              by !== undefined && sort === by ? (isDescending ? 'descending' : 'ascending') : undefined
            }
          >
            {by === undefined ? (
              label
            ) : (
              <button type="button" className="fleet-sort" onClick={() => sortBy(by)}>
                {label}
                {sort === by &&
                  (isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

const classOf = ({
  className = '',
  isOptional,
  isWide,
}: Pick<Column<never, never>, 'className' | 'isOptional' | 'isWide'>) =>
  `fleet-cell ${className} ${isOptional ? 'fleet-optional' : ''} ${isWide ? 'fleet-wide' : ''}`

interface RowProps {
  id: number
  row: unknown
  columns: readonly Column<unknown, string>[]
  name: string
  place: number
  top: number
  isSelected: boolean
  onToggle: ReturnType<typeof useRowToggle>
}

const DrawnRow = memo(function DrawnRow({
  id,
  row,
  columns,
  name,
  place,
  top,
  isSelected,
  onToggle,
}: RowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: its link has the focus.
    <div
      role="row"
      aria-rowindex={place}
      className="fleet-row"
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell">
        <input
          type="checkbox"
          aria-label={t('Select {project}', { project: name })}
          checked={isSelected}
          onChange={(event) => onToggle(id, event)}
        />
      </div>
      {columns.map(({ label, isName, cell, ...column }) => (
        <div key={label} role={isName ? 'rowheader' : 'cell'} className={classOf(column)}>
          {cell(row)}
        </div>
      ))}
    </div>
  )
})
