// SQL conditions for open and overdue cards; `card` is the alias. due.ts has the same rules in TypeScript.
import { closed } from './due.ts'

const isUnclosed = (card: string) => `${card}.status <> '${closed}'`

export const isOpen = (card: string) => `(${card}.is_active and ${isUnclosed(card)})`

export const isOverdue = (card: string) =>
  `coalesce(${card}.due_date <= now() and ${isUnclosed(card)}, false)`

/** The same for a reader whose date is the parameter, which may be null: a due date without a time ends with its day there. */
export const isOverdueOn = (card: string, today: string) =>
  `coalesce(${isUnclosed(card)} and case when ${card}.due_is_date and ${today}::text is not null
    then ${card}.due_date < ${today}::text::timestamp at time zone 'UTC' else ${card}.due_date <= now() end, false)`

/** True if the card becomes overdue unless it is closed or its due date changes. */
export const willBeOverdue = (card: string) => `(${card}.due_date > now() and ${isUnclosed(card)})`
