// Which element of a table shows which row.
import { useRef } from 'react'
import type { ListedCard } from '../types.ts'
import type { Row } from './rows.ts'

type Rows = readonly Row<ListedCard>[]

export interface Slot {
  /** Of the element. */
  key: number
  /** Of the row among all. */
  index: number
  /** The card of the row; of a heading, its value as a text. */
  shows: number | string
}

export interface Shown {
  rows: Rows
  /** In the order of the document. */
  slots: readonly Slot[]
  nextKey: number
}

const identityOf = (row: Row<ListedCard>) => (row.kind === 'card' ? row.card.id : `heading ${row.value}`)

const isCard = ({ shows }: Pick<Slot, 'shows'>) => typeof shows === 'number'

/** The elements for the rows with these indexes, in the order of the document: at rest, that of the rows. */
export function useSlots(rows: Rows, indexes: readonly number[], keepsOrder: boolean): readonly Slot[] {
  const shown = useRef<Shown>({ rows, slots: [], nextKey: 0 })
  shown.current = nextShown(shown.current, rows, indexes, keepsOrder)
  return shown.current.slots
}

/**
 * A row keeps its element. While the same rows are scrolled, the element of a card that goes out of sight shows one that comes into sight, because new
 * elements for each step would take longer than a frame.
 */
export function nextShown(before: Shown, rows: Rows, indexes: readonly number[], keepsOrder: boolean): Shown {
  const wanted = new Map<Slot['shows'], number>()
  for (const index of indexes) {
    const row = rows[index]
    if (row) wanted.set(identityOf(row), index)
  }
  const kept = before.slots.map(({ key, shows }) => {
    const index = wanted.get(shows)
    wanted.delete(shows)
    return { key, shows, index }
  })
  const coming = [...wanted].map(([shows, index]) => ({ shows, index }))
  const cards = coming.filter(isCard)
  const slots = kept.flatMap(({ key, shows, index }): Slot[] => {
    if (index !== undefined) return [{ key, shows, index }]
    const other = rows === before.rows && isCard({ shows }) ? cards.shift() : undefined
    return other ? [{ key, ...other }] : []
  })
  let { nextKey } = before
  for (const one of [...coming.filter((other) => !isCard(other)), ...cards])
    slots.push({ key: nextKey++, ...one })
  if (!keepsOrder) slots.sort((a, b) => a.index - b.index)
  return { rows, slots, nextKey }
}
