// What it means, in SQL, that a card is open or overdue; `card` is its alias. due.ts says the same in TypeScript.
import { closed } from './due.ts'

const isUnclosed = (card: string) => `${card}.status <> '${closed}'`

export const isOpen = (card: string) => `(${card}.is_active and ${isUnclosed(card)})`

export const isOverdue = (card: string) =>
  `coalesce(${card}.due_date <= now() and ${isUnclosed(card)}, false)`

/** It becomes overdue unless somebody closes it or changes its due date. */
export const willBeOverdue = (card: string) => `(${card}.due_date > now() and ${isUnclosed(card)})`
