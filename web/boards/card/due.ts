// When a card is due, as pure functions of the card and the time.

import { midnight } from '../../ui/days.ts'
import type { Card } from '../types.ts'

type Dated = Pick<Card, 'due_date' | 'status'>

/** The same rule as the service's, at any time. */
export const isOverdue = ({ due_date, status }: Dated, now = Date.now()): boolean =>
  due_date !== null && status !== 'closed' && Date.parse(due_date) <= now

export const dueSections = ['Overdue', 'Today', 'Next 7 days', 'Later', 'No due date'] as const

/** The section of a card in a list by due date. */
export function dueSectionOf(card: Dated, now: number): (typeof dueSections)[number] {
  if (card.due_date === null) return 'No due date'
  if (isOverdue(card, now)) return 'Overdue'
  const due = Date.parse(card.due_date)
  return due < midnight(1, now) ? 'Today' : due < midnight(8, now) ? 'Next 7 days' : 'Later'
}
