import { Check, Pencil } from 'lucide-react'
import { memo } from 'react'
import { EditableText } from '../../drafts/editable-text.tsx'
import { IconButton } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { useDueText } from '../card/card-face.tsx'
import type { Selection } from '../selection.ts'
import { useIsSelected } from '../selection.ts'
import type { ListedCard } from '../types.ts'
import { Cell, type Editing } from './cell.tsx'
import { shownIn } from './cells.tsx'
import type { ColumnId } from './rows.ts'

export type Column = ColumnId | 'title'

interface Props extends Editing {
  columns: readonly ColumnId[]
  href: string
  /** The place of the row among all, counted from 2 because of the heading. */
  place: number
  top: number
  isOpen: boolean
  /** The column of the active cell, if it is in this row. */
  active: Column | undefined
  isRenaming: boolean
  /** Rejects if the service refuses. Undefined where cards cannot be renamed here. */
  onRename: ((card: ListedCard, title: string, begun?: string) => Promise<unknown>) | undefined
  onRenamed(byKey: boolean): void
  selection: Selection | undefined
}

/** Scrolling draws many of these at once: a row has few elements and hears no events itself. */
export const TableRow = memo(function TableRow(props: Props) {
  const {
    columns,
    href,
    place,
    top,
    isOpen,
    active,
    isRenaming,
    onRename,
    onRenamed,
    selection,
    ...editing
  } = props
  const { card, listing } = editing
  const isSelected = useIsSelected(selection, card.id)
  const due = useDueText(card)
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do.
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div
      role="row"
      aria-rowindex={place}
      aria-selected={selection ? isSelected : undefined}
      className="card-table-row"
      data-card-row={card.id}
      data-open={isOpen}
      data-selected={isSelected}
      style={{ top }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
      <div role="rowheader" className="card-table-cell card-table-title" data-column="title">
        {isSelected && <Check className="card-table-selected" aria-hidden="true" />}
        {isRenaming && onRename ? (
          <EditableText
            value={card.title}
            label={t('Rename “{title}”', { title: card.title })}
            place={`title of card ${card.id}`}
            isOpen
            onEnd={onRenamed}
            onSave={(title, begun) => onRename(card, title, begun)}
          />
        ) : (
          <a
            href={href}
            className="card-table-link truncate"
            tabIndex={active === 'title' ? 0 : -1}
            aria-current={isOpen || undefined}
            aria-keyshortcuts={onRename && (selection ? 'F2 M X' : 'F2 M')}
            data-card-id={card.id}
            dir="auto"
          >
            {card.title}
          </a>
        )}
        {onRename && !isRenaming && (
          <IconButton
            className="card-table-rename"
            tabIndex={-1}
            label={t('Rename “{title}”', { title: card.title })}
            icon={<Pencil />}
          />
        )}
      </div>
      {columns.map((column) => (
        <Cell
          key={column}
          {...editing}
          column={column}
          shown={shownIn(column, card, listing, due)}
          isActive={active === column}
        />
      ))}
    </div>
  )
})
