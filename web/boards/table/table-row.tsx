import { Check, Pencil } from 'lucide-react'
import { memo, type RefObject, useState } from 'react'
import { Link } from 'wouter'
import { EditableText } from '../../drafts/editable-text.tsx'
import { IconButton } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { rememberOpened } from '../card/returning.ts'
import type { Listing } from '../listing.ts'
import { onCardClick, type Selecting } from '../selecting.ts'
import { useIsSelected } from '../selection.ts'
import type { ListedCard } from '../types.ts'
import { Cell, type CellProps, useCellFocus } from './cell.tsx'
import type { ColumnId } from './rows.ts'

export type Column = ColumnId | 'title'

interface Props {
  card: ListedCard
  columns: readonly ColumnId[]
  listing: Listing
  href: string
  isFromList: boolean | undefined
  /** The place of the row among all, counted from 2 because of the heading. */
  place: number
  top: number
  isOpen: boolean
  /** The column of the active cell, if it is in this row. */
  active: Column | undefined
  wantsFocus: RefObject<boolean>
  onActivate(cardId: number, column: Column): void
  onChange: CellProps['onChange']
  canMove: boolean
  /** Rejects if the service refuses. */
  onRename: ((card: ListedCard, title: string) => Promise<unknown>) | undefined
  selecting: Selecting | undefined
}

export const TableRow = memo(function TableRow(props: Props) {
  const { card, columns, listing, place, top, isOpen, active, wantsFocus, onActivate, onChange, canMove } =
    props
  const { selecting } = props
  const isSelected = useIsSelected(selecting?.selection, card.id)
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do.
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selecting ? isSelected : undefined}
      className="card-table-row"
      data-card-row
      data-open={isOpen}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
      <div
        role="rowheader"
        className="card-table-cell card-table-title"
        onFocus={() => onActivate(card.id, 'title')}
      >
        {isSelected && <Check className="card-table-selected" aria-hidden="true" />}
        <TitleCell {...props} isActive={active === 'title'} />
      </div>
      {columns.map((column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above.
        // biome-ignore lint/a11y/useFocusableInteractive: as above.
        <div
          key={column}
          role="gridcell"
          className="card-table-cell"
          onFocus={() => onActivate(card.id, column)}
        >
          <Cell
            column={column}
            card={card}
            listing={listing}
            onChange={onChange}
            canMove={canMove}
            isActive={active === column}
            wantsFocus={wantsFocus}
          />
        </div>
      ))}
    </div>
  )
})

function TitleCell(props: Props & { isActive: boolean }) {
  const { card, href, isFromList, isOpen, isActive, wantsFocus, onRename, selecting } = props
  const element = useCellFocus(isActive, wantsFocus)
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming && onRename)
    return (
      <EditableText
        value={card.title}
        label={t('Rename “{title}”', { title: card.title })}
        place={`title of card ${card.id}`}
        isOpen
        onEnd={(byKey) => {
          wantsFocus.current = byKey
          setRenaming(false)
        }}
        onSave={(title) => onRename(card, title)}
      />
    )
  return (
    <>
      <Link
        ref={element as RefObject<HTMLAnchorElement>}
        href={href}
        state={{ isFromList }}
        className="card-table-link truncate"
        tabIndex={isActive ? 0 : -1}
        aria-current={isOpen || undefined}
        aria-keyshortcuts={onRename && (selecting ? 'F2 M X' : 'F2 M')}
        data-card-id={card.id}
        dir="auto"
        // While it is captured, since a link hears no clicks with Ctrl or Shift.
        onClickCapture={(event) => {
          const table = selecting?.view.current
          if (table) onCardClick(table, selecting.selection, event, card.id)
        }}
        onClick={() => isFromList && rememberOpened(card.id)}
        onKeyDown={(event) => {
          if (event.key === 'F2' && onRename) setRenaming(true)
        }}
      >
        {card.title}
      </Link>
      {onRename && (
        <IconButton
          className="card-table-rename"
          tabIndex={-1}
          label={t('Rename “{title}”', { title: card.title })}
          icon={<Pencil />}
          onClick={() => setRenaming(true)}
        />
      )}
    </>
  )
}
