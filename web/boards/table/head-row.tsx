import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo } from 'react'
import { columnNames } from './cells.tsx'
import type { ColumnId, Sorting } from './rows.ts'
import { writeSorting } from './shape.tsx'

interface Props {
  columns: readonly ColumnId[]
  sorting: Sorting | undefined
  /** Changes the address. */
  set(name: 'sort', value: string | undefined): void
}

/** The names of the columns; pressing one sorts by it, then the other way around, then no more. */
export const HeadRow = memo(function HeadRow({ columns, sorting, set }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do.
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus.
    <div role="row" aria-rowindex={1} className="card-table-row card-table-head">
      {(['title', ...columns] as const).map((column) => {
        const isSorted = sorting?.by === column
        const next = !isSorted
          ? { by: column, isDescending: false }
          : sorting.isDescending
            ? undefined
            : { by: column, isDescending: true }
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          // biome-ignore lint/a11y/useFocusableInteractive: as above.
          <div
            key={column}
            role="columnheader"
            aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
            className={`card-table-cell ${column === 'title' ? 'card-table-title' : ''}`}
          >
            <button
              type="button"
              className="card-table-value"
              onClick={() => set('sort', next && writeSorting(next))}
            >
              <span className="truncate">{columnNames[column]}</span>
              {isSorted && (sorting.isDescending ? <ArrowDown /> : <ArrowUp />)}
            </button>
          </div>
        )
      })}
    </div>
  )
})
