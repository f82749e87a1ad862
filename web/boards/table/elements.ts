// Finds the cells and links of a table among its elements; the table hears the pointer and the keys of all its rows.
import type { Column } from './table-row.tsx'

export interface CellOfCard {
  cardId: number
  column: Column
}

export const elementAt = (target: EventTarget, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null

/** The card whose link it is. */
export function linkedCard(target: EventTarget): number | undefined {
  const id = elementAt(target, '[data-card-id]')?.dataset['cardId']
  return id === undefined ? undefined : Number(id)
}

/** The cell of a card that an element is in. */
export function cellAt(target: EventTarget): CellOfCard | undefined {
  const column = elementAt(target, '[data-column]')?.dataset['column'] as Column
  const cardId = elementAt(target, '[data-card-row]')?.dataset['cardRow']
  return cardId === undefined ? undefined : { cardId: Number(cardId), column }
}

/** What takes the focus in a cell. */
export function focusable(table: HTMLElement | null, { cardId, column }: CellOfCard): HTMLElement | null {
  const cell = table?.querySelector<HTMLElement>(`[data-card-row="${cardId}"] > [data-column="${column}"]`)
  return cell?.querySelector<HTMLElement>(':scope > :is(a, .card-table-value)') ?? cell ?? null
}
