// What is counted of each template card in all projects. A copy counts for its status, and for each other measure that holds.

/** The state of a copy; each copy is in exactly one. */
export const stateMeasures = {
  open: 'o',
  in_progress: 'p',
  to_check: 't',
  blocked: 'b',
  done: 'd',
  deleted: 'x',
} as const

/** What may hold in addition. */
export const otherMeasures = { overdue: '!', customized: '*', check_passed: 'k', check_failed: 'f' } as const

/** A field that the project customized. */
export const fieldMeasure = (field: string): string => otherMeasures.customized + field

export const measures = { ...stateMeasures, ...otherMeasures } as const

type Measure = keyof typeof measures

/** The funnel of a card: each step has the states that count for it. */
const steps = {
  received: Object.values(stateMeasures),
  begun: [stateMeasures.in_progress, stateMeasures.to_check, stateMeasures.blocked, stateMeasures.done],
} as const

export type Counted = Measure | keyof typeof steps

export const countedNames = [...Object.keys(measures), ...Object.keys(steps)] as Counted[]

/** The measures that add up to a number, as they are stored; a copy has at most one of them. */
export const measuresIn = (name: Counted): readonly string[] =>
  name === 'received' || name === 'begun' ? steps[name] : [measures[name]]

/** The week in which a card was done, and how many days that took. */
export const weekPrefix = 'w'
export const daysPrefix = 'n'

/** Weeks are counted from a Monday. */
const firstMonday = Date.UTC(1970, 0, 5)
const weekMilliseconds = 7 * 86_400_000

export const weekOf = (time: number): number => Math.floor((time - firstMonday) / weekMilliseconds)
export const startOfWeek = (week: number): string =>
  new Date(firstMonday + week * weekMilliseconds).toISOString().slice(0, 10)

/** The number of days at which half of the cards were done; null if none was. */
export function median(days: readonly { days: number; count: number }[]): number | null {
  const sorted = days.filter(({ count }) => count > 0).sort((a, b) => a.days - b.days)
  const all = sorted.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const one of sorted) {
    seen += one.count
    if (seen * 2 >= all) return one.days
  }
  return null
}
