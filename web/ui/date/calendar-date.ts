// Counts with days of the calendar, such as `2026-11-16`.

const day = 86_400_000

export const asUtc = (date: string): Date => new Date(`${date}T00:00Z`)
export const asDate = (utc: Date | number): string => new Date(utc).toISOString().slice(0, 10)

/** From 0, a Sunday. */
export const weekdayOf = (date: string): number => asUtc(date).getUTCDay()

export const addDays = (date: string, days: number): string => asDate(asUtc(date).getTime() + days * day)

/** The same day of a later month, or its last one. */
export function addMonths(date: string, months: number): string {
  const first = asUtc(monthStart(date))
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(Number(date.slice(8)), last.getUTCDate()))
  return asDate(first)
}

export const monthStart = (date: string): string => `${date.slice(0, 8)}01`
export const yearStart = (date: string): string => `${date.slice(0, 5)}01-01`

/** How many days a weekday is after the Monday of its week. */
const daysAfterMonday = (weekday: number): number => (weekday + 6) % 7

/** The Monday of the week of a day. */
export const mondayOf = (date: string): string => addDays(date, -daysAfterMonday(weekdayOf(date)))

/** The Monday after a day. */
export const nextMonday = (date: string): string => addDays(mondayOf(date), 7)

/** A weekday of the week that begins with a Monday. */
export const inWeekOf = (monday: string, weekday: number): string => addDays(monday, daysAfterMonday(weekday))

/** The next such weekday after a date, or the last one before it. */
export function weekdayNear(weekday: number, date: string, tense: 'future' | 'past'): string {
  const ahead = (weekday - weekdayOf(date) + 7) % 7
  return addDays(date, tense === 'future' ? ahead || 7 : ahead - 7)
}

/** The date, unless there is no such day. */
export function existing(date: string): string | undefined {
  const utc = asUtc(date)
  return Number.isNaN(utc.getTime()) || asDate(utc) !== date ? undefined : date
}
