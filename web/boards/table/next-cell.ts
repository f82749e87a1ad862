import type { KeyboardEvent } from 'react'
import type { Column } from './table-row.tsx'

interface Position {
  rows: readonly { kind: 'heading' | 'card' }[]
  columns: readonly Column[]
  place: number
  column: Column
}

const pageRows = 10

/** The cell that a key leads to; headings of groups are skipped. */
export function nextCell(event: KeyboardEvent, { rows, columns, place, column }: Position) {
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
