// When a card is due, for the service and the web app. closing.ts has the same rules in SQL; due.test.ts compares them.

/** The status that ends being overdue. */
export const closed = 'closed'

interface Due {
  due_date: string | null
  due_is_date: boolean
}

/** How a due date without a time is stored: as the last millisecond in UTC of the day that was written. */
export const dueOnDay = (time: string): string => `${time.slice(0, 10)}T23:59:59.999Z`

/** A due date as it is stored; a given one may have an offset. */
export function asDue({ due_date, due_is_date }: { [Name in keyof Due]?: Due[Name] | null }): Due {
  if (!due_date) return { due_date: null, due_is_date: false }
  return due_is_date
    ? { due_date: dueOnDay(due_date), due_is_date: true }
    : { due_date: new Date(due_date).toISOString(), due_is_date: false }
}

interface Dated {
  due_date: string | null
  /** Left out by the service: it does not know where the reader is, and goes by the end of the day in UTC. */
  due_is_date?: boolean
  status: string
}

/** From when the card is overdue. A due date without a time ends with its day in the time zone of this program. */
export function dueTime({ due_date, due_is_date }: Omit<Dated, 'status'>): number {
  if (due_date === null || !due_is_date) return Date.parse(due_date ?? '')
  const [year, month, day] = due_date.slice(0, 10).split('-').map(Number) as [number, number, number]
  const end = new Date(0)
  end.setFullYear(year, month - 1, day + 1)
  return end.setHours(0, 0, 0, 0) - 1
}

export const isOverdue = (card: Dated, now = Date.now()): boolean =>
  card.status !== closed && dueTime(card) <= now

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
  const due = dueTime(card)
  if (due < midnight(0, now)) return undefined
  if (due < midnight(1, now)) return 'today'
  return due < midnight(8, now) ? 'week' : 'later'
}
