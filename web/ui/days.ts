// Days of the calendar, which have 23 or 25 hours where clocks change.

/** When the day began that is so many days after a moment's own. */
export function midnight(days: number, now = Date.now()): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** The same hour so many days later, or another hour of that day. */
export function inDays(days: number, hours?: number, minutes = 0): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  if (hours !== undefined) date.setHours(hours, minutes, 0, 0)
  return date.toISOString()
}
