// Calendar days, which have 23 or 25 hours when clocks change.

/** The start of the day that is `days` after a time. */
export function midnight(days: number, now = Date.now()): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** The date where the person is, such as `2026-11-16`. */
export function dateAt(now = Date.now()): string {
  const here = new Date(now)
  return new Date(Date.UTC(here.getFullYear(), here.getMonth(), here.getDate())).toISOString().slice(0, 10)
}

/** The same hour, `days` later. */
export function inDays(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  return date.toISOString()
}
