import { type RefObject, useEffect, useRef } from 'react'
import { DatePicker } from '../../ui/date/date-picker.tsx'
import { PickerPopover } from '../../ui/picker.tsx'
import { type PopoverState, usePopover } from '../../ui/popover.tsx'
import { due } from '../card/moment.tsx'
import type { Listing } from '../listing.ts'
import type { Card, ListedCard } from '../types.ts'
import { CellValue, chosenColumns, columnNames, isChosen, nothing } from './cells.tsx'
import { type ColumnId, valueIn } from './rows.ts'

export interface CellProps {
  column: ColumnId
  card: ListedCard
  listing: Listing
  /** Undefined where the value cannot be changed here. */
  onChange: ((card: ListedCard, fields: Partial<Card>) => void) | undefined
  /** Whether cards can be moved to another group here. */
  canMove: boolean
  /** True for the one cell of the table that Tab reaches. */
  isActive: boolean
  /** True if the active cell is to take the focus once it is drawn. */
  wantsFocus: RefObject<boolean>
}

/** Focuses the element of the active cell after the arrow keys have chosen it. */
export function useCellFocus(isActive: boolean, wantsFocus: RefObject<boolean>) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isActive || !wantsFocus.current || !element.current) return
    wantsFocus.current = false
    element.current.focus({ preventScroll: true })
  })
  return element
}

/** A value of a card; pressed, it opens what changes it. */
export function Cell(props: CellProps) {
  const { column, card, listing, onChange, canMove, isActive, wantsFocus } = props
  const state = usePopover()
  const element = useCellFocus(isActive, wantsFocus)
  const value = <CellValue column={column} card={card} listing={listing} />
  const tabIndex = isActive ? 0 : -1
  if (!onChange || !(isChosen(column) || column === 'due') || (column === 'group' && !canMove))
    return (
      <div
        ref={element as RefObject<HTMLDivElement>}
        className="card-table-value numbers"
        tabIndex={tabIndex}
      >
        {value}
      </div>
    )
  return (
    <>
      <button
        type="button"
        {...state.triggerProps}
        ref={(button) => {
          state.anchor.current = button
          element.current = button
        }}
        className="card-table-value numbers"
        tabIndex={tabIndex}
        aria-haspopup={column === 'due' ? 'dialog' : 'listbox'}
      >
        <span className="visually-hidden">{columnNames[column]}: </span>
        {value}
      </button>
      {state.isOpen && <CellEditor {...props} state={state} onChange={onChange} />}
    </>
  )
}

type EditorProps = CellProps & { state: PopoverState; onChange: NonNullable<CellProps['onChange']> }

/** Made only for the cell that is open, because lists of members and tags may be long. */
function CellEditor({ column, card, listing, state, onChange }: EditorProps) {
  const label = columnNames[column]
  if (!isChosen(column))
    return (
      <DatePicker
        state={state}
        label={label}
        value={due.read(card)}
        time="optional"
        suggestions={due.suggestions}
        onChange={(typed) => onChange(card, due.write(typed))}
        trigger={() => null}
      />
    )
  const { choices, change } = chosenColumns[column]
  const chosen = valueIn(column, card) ?? nothing
  return (
    <PickerPopover
      state={state}
      label={label}
      choices={choices(listing, card)}
      chosen={[chosen]}
      onChoose={(id) => id !== chosen && onChange(card, change(id))}
    />
  )
}
