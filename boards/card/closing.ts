// SQL conditions for open and overdue cards; `card` is the alias. due.ts has the same rules in TypeScript.
import { closed } from './due.ts'

const isUnclosed = (card: string) => `${card}.status <> '${closed}'`

export const isOpen = (card: string) => `(${card}.is_active and ${isUnclosed(card)})`

export const isOverdue = (card: string) =>
  `coalesce(${card}.due_date <= now() and ${isUnclosed(card)}, false)`

/** True if the card becomes overdue unless it is closed or its due date changes. */
export const willBeOverdue = (card: string) => `(${card}.due_date > now() and ${isUnclosed(card)})`
