// The days that a calendar shows, as texts such as 2026-11-16.
import { addDays } from '../../ui/date/calendar-date.ts'
import { typedDateOf } from '../../ui/date/typed-date.ts'
import type { ListedCard } from '../types.ts'

export type Span = 'month' | 'week'

const weekdayOf = (date: string) => new Date(`${date}T00:00Z`).getUTCDay()

const weekStart = (date: string, firstWeekday: number) =>
  addDays(date, -((weekdayOf(date) - firstWeekday + 7) % 7))

/** The first day of the month that is `months` later. */
const monthStart = (date: string, months = 0): string => {
  const [year, month] = date.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}

/** Whole weeks with the day or its month. */
export function daysOf(at: string, span: Span, firstWeekday: number): string[] {
  const first = weekStart(span === 'week' ? at : monthStart(at), firstWeekday)
  const last = span === 'week' ? first : weekStart(addDays(monthStart(at, 1), -1), firstWeekday)
  const days = [first]
  for (let day = addDays(first, 1); day < addDays(last, 7); day = addDays(day, 1)) days.push(day)
  return days
}

/** The same place in the week or month before or after. */
export const stepped = (at: string, span: Span, step: 1 | -1): string =>
  span === 'week' ? addDays(at, 7 * step) : monthStart(at, step)

/** The day on which a card is due where the person is; undefined without a due date. */
export function dueDayOf({ due_date, due_is_date }: Pick<ListedCard, 'due_date' | 'due_is_date'>) {
  if (due_date === null) return undefined
  return due_is_date ? due_date.slice(0, 10) : typedDateOf(new Date(due_date)).date
}

/** The cards of each of these days, earlier ones first. */
export function byDay<Card extends ListedCard>(cards: readonly Card[], days: readonly string[]) {
  const held = new Map<string, Card[]>(days.map((day) => [day, []]))
  for (const card of cards) held.get(dueDayOf(card) ?? '')?.push(card)
  for (const some of held.values()) some.sort((a, b) => timeOf(a).localeCompare(timeOf(b)))
  return held
}

/** Cards without a time come first. */
const timeOf = ({ due_date, due_is_date }: ListedCard) => (due_is_date ? '' : (due_date ?? ''))
