// When a card is due, for the service and the web app. closing.ts has the same rules in SQL; due.test.ts compares them.

/** The status that ends being overdue. */
export const closed = 'closed'

interface Dated {
  due_date: string | null
  status: string
}

export const isOverdue = ({ due_date, status }: Dated, now = Date.now()): boolean =>
  due_date !== null && status !== closed && Date.parse(due_date) <= now

export const dueBuckets = ['overdue', 'today', 'week', 'later', 'none'] as const

/** The start of the day that is `days` after a time, in the reader's time zone. */
type Midnight = (days: number, now: number) => number

/** The section of a card in a list by due date; undefined for a closed card whose day has passed. */
export function dueBucketOf(
  card: Dated,
  now: number,
  midnight: Midnight,
): (typeof dueBuckets)[number] | undefined {
  if (card.due_date === null) return 'none'
  if (isOverdue(card, now)) return 'overdue'
  const due = Date.parse(card.due_date)
  if (due < midnight(0, now)) return undefined
  if (due < midnight(1, now)) return 'today'
  return due < midnight(8, now) ? 'week' : 'later'
}
