import { counted } from '../../words/words.ts'
import type { Listing } from '../listing.ts'
import { chosenColumns } from './cells.tsx'

interface Props {
  value: string | number | null
  count: number
  grouping: keyof typeof chosenColumns
  listing: Listing
  /** The place of the row among all, counted from 2 because of the heading. */
  place: number
  top: number
}

/** Names what the cards below it have in common. */
export function HeadingRow({ value, count, grouping, listing, place, top }: Props) {
  const { text, icon } = chosenColumns[grouping].show(value, listing)
  const board = grouping === 'group' ? listing.groups.get(value as number)?.board : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do.
    // biome-ignore lint/a11y/useFocusableInteractive: it only names the rows below.
    <div role="row" aria-rowindex={place} className="card-table-row card-table-heading" style={{ top }}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
      <div role="rowheader" className="card-table-cell">
        {icon}
        <span className="truncate" dir="auto">
          {board ? `${board.title} › ${text}` : text}
        </span>
        <span className="card-table-count numbers">
          {counted(count, { one: '{count} card', other: '{count} cards' })}
        </span>
      </div>
    </div>
  )
}
