import { DatePicker } from '../../ui/date/date-picker.tsx'
import { PickerPopover } from '../../ui/picker.tsx'
import { type PopoverState, usePopover } from '../../ui/popover.tsx'
import { due } from '../card/moment.tsx'
import type { Listing } from '../listing.ts'
import type { Card, ListedCard } from '../types.ts'
import { chosenColumns, columnNames, isChosen, nothing, type Shown } from './cells.tsx'
import { type ColumnId, valueIn } from './rows.ts'

/** The one cell whose value is being changed. */
export interface Edited {
  cardId: number
  column: ColumnId
  anchor: PopoverState['anchor']
}

export interface Editing {
  card: ListedCard
  listing: Listing
  edited: Edited | undefined
  /** Undefined where values cannot be changed here. */
  onChange: ((card: ListedCard, fields: Partial<Card>) => void) | undefined
  /** Whether cards can be moved to another group here. */
  canMove: boolean
  onClose(edited: Edited): void
}

interface Props extends Editing {
  column: ColumnId
  shown: Shown | undefined
  /** True for the one cell of the table that Tab reaches. */
  isActive: boolean
}

/** A value of a card; pressed, it opens what changes it. The table hears the pointer and the keys, because there are many cells. */
export function Cell({ column, shown, isActive, ...editing }: Props) {
  const { onChange, canMove, edited } = editing
  const tabIndex = isActive ? 0 : -1
  const text = shown?.text ?? ''
  const value = shown && !shown.isAbsent && (
    <>
      {shown.icon}
      <span className="card-table-text" dir="auto" data-tip={shown.tip}>
        {text}
      </span>
    </>
  )
  if (!onChange || !(isChosen(column) || column === 'due') || (column === 'group' && !canMove))
    return (
      // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do.
      <div
        role="gridcell"
        className="card-table-cell card-table-value numbers"
        data-overdue={shown?.isLate}
        data-column={column}
        tabIndex={tabIndex}
        aria-label={shown?.isAbsent ? text : shown?.name}
      >
        {value}
      </div>
    )
  const isOpen = edited?.column === column
  /** Letters that are no part of a name, so that it has to come from the content. */
  const hasInitials = column === 'owner' && !shown?.isAbsent
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
    <div role="gridcell" className="card-table-cell" data-column={column}>
      <button
        type="button"
        className="card-table-value numbers"
        data-overdue={shown?.isLate}
        tabIndex={tabIndex}
        aria-haspopup={column === 'due' ? 'dialog' : 'listbox'}
        aria-expanded={isOpen}
        aria-label={hasInitials ? undefined : `${columnNames[column]}: ${shown?.name ?? text}`}
      >
        {hasInitials && <span className="visually-hidden">{columnNames[column]}: </span>}
        {value}
      </button>
      {isOpen && <CellEditor {...editing} edited={edited} onChange={onChange} />}
    </div>
  )
}

type EditorProps = Editing & { edited: Edited; onChange: NonNullable<Editing['onChange']> }

function CellEditor({ card, listing, edited, onChange, onClose }: EditorProps) {
  const { column, anchor } = edited
  const state = { ...usePopover(), isOpen: true, anchor, close: () => onClose(edited) }
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
