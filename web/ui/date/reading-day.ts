// Reads the day of a date as people type it, without a time: "fri", "+3d", "end of next month", "16 Nov". Used by typed-date.ts.
import {
  addDays,
  addMonths,
  existing,
  inWeekOf,
  mondayOf,
  monthStart,
  weekdayNear,
  weekdayOf,
  yearStart,
} from './calendar-date.ts'
import type { DateLanguage } from './date-language.ts'

/** What a day without a year, such as "fri" or "16 Nov", means: the next one or the last one. */
export type Tense = 'future' | 'past'

export interface Context {
  language: DateLanguage
  today: string
  tense: Tense
}

/** Undefined if the text, which is folded, has no clear meaning. */
export function readDay(text: string, context: Context): string | undefined {
  const { language, today } = context
  if (language.is('today', text) || language.is('endOfDay', text)) return today
  if (language.is('tomorrow', text)) return addDays(today, 1)
  if (language.is('dayAfterTomorrow', text)) return addDays(today, 2)
  if (language.is('yesterday', text)) return addDays(today, -1)
  if (language.is('dayBeforeYesterday', text)) return addDays(today, -2)
  return (
    readDistance(text, context) ??
    readNeighbor(text, context) ??
    readEnd(text, context) ??
    readWeekdayOrDate(text, context)
  )
}

function readDistance(text: string, context: Context): string | undefined {
  const { language, today } = context
  const { count, unit } = readCount(text, context)
  if (count === undefined) return undefined
  if (unit === '' || language.is('days', unit)) return addDays(today, count)
  if (language.is('weeks', unit)) return addDays(today, 7 * count)
  if (language.is('months', unit)) return addMonths(today, count)
  return language.is('years', unit) ? addMonths(today, 12 * count) : undefined
}

/** `+3d`, `in 2 weeks`, `3 days`, `3 days ago`, `-3d`; the unit is empty for `+3`, and the count is negative for the past. */
export function readCount(
  text: string,
  { language: { is, numberNamed }, tense }: Pick<Context, 'language' | 'tense'>,
): { count?: number; unit?: string } {
  const words = text
    .replace(/^[+−-](?=\S)/, '$& ')
    .replace(/(?<=\d)(?=\p{L})/u, ' ')
    .split(' ')
  const first = words[0] ?? ''
  const isSigned = /^[+−-]$/.test(first)
  const isAfter = first === '+' || is('in', first)
  const isBefore = !isAfter && (isSigned || is('ago', first) || is('ago', words.at(-1)))
  if (isSigned || isAfter || is('ago', first)) words.shift()
  else if (isBefore) words.pop()
  const [number = '', unit = '', ...more] = words
  if (more.length > 0 || (unit === '' && !isSigned)) return {}
  // "a day" alone does not say when.
  const named = isAfter || isBefore ? numberNamed(number) : undefined
  const count = /^\d{1,3}$/.test(number) ? Number(number) : named
  if (count === undefined) return {}
  return { count: isBefore || (!isAfter && tense === 'past') ? -count : count, unit }
}

/** `next week`, `last month`, `next fri`, `coming fri`, `fri next week`; a week, month or year is its first day. */
function readNeighbor(text: string, context: Context): string | undefined {
  const { language, today, tense } = context
  const coming = language.after('coming', text)
  if (coming !== undefined) {
    const weekday = language.weekdayNamed(coming)
    // The coming Friday may be in this week, but the coming week is the next one.
    return weekday === undefined ? firstDayOf(coming, 1, context) : weekdayNear(weekday, today, 'future')
  }
  const words = text.split(' ')
  if (words.length === 3) {
    const weekday = language.weekdayNamed(words[0])
    const isOfWeek = language.is('weeks', words[2])
    const week = isOfWeek ? readNeighbor(words.slice(1).join(' '), { ...context, tense: 'past' }) : undefined
    return weekday === undefined || week === undefined ? undefined : inWeekOf(week, weekday)
  }
  const [which, what] = words
  const steps = language.is('next', which)
    ? 1
    : language.is('last', which)
      ? -1
      : language.is('this', which)
        ? 0
        : undefined
  if (steps === undefined || words.length !== 2) return undefined
  const weekday = language.weekdayNamed(what)
  if (weekday !== undefined && steps < 0) return weekdayNear(weekday, today, 'past')
  if (weekday !== undefined) return inWeekOf(addDays(mondayOf(today), 7 * steps), weekday)
  // Something that is due this week is not due on its first day.
  return steps === 0 && tense === 'future' ? undefined : firstDayOf(what, steps, context)
}

/** The first day of the week, month or year that is so many steps from the present one. */
function firstDayOf(
  unit: string | undefined,
  steps: number,
  { language: { is }, today }: Context,
): string | undefined {
  if (is('weeks', unit)) return addDays(mondayOf(today), 7 * steps)
  if (is('months', unit)) return addMonths(monthStart(today), steps)
  return is('years', unit) ? addMonths(yearStart(today), 12 * steps) : undefined
}

/** `eom`, `end of month`, `end of next week`, `end of March`, `weekend`. A week ends on Friday. */
function readEnd(text: string, context: Context): string | undefined {
  const { language, today } = context
  if (language.is('weekend', text)) return weekdayNear(6, addDays(today, -1), 'future')
  if (language.is('endOfWeek', text)) return weekdayNear(5, addDays(today, -1), 'future')
  if (language.is('endOfMonth', text)) return lastDay(monthStart(today), 1)
  if (language.is('endOfYear', text)) return lastDay(yearStart(today), 12)
  const period = language.after('endOf', text)
  if (period === undefined) return undefined
  if (language.monthNamed(period) !== undefined) {
    const first = readDate(`1 ${period}`, { ...context, today: monthStart(today), tense: 'future' })
    return first === undefined ? undefined : lastDay(first, 1)
  }
  const first = readNeighbor(period, { ...context, tense: 'past' })
  const unit = period.split(' ').at(-1)
  if (first === undefined || language.weekdayNamed(unit) !== undefined) return undefined
  if (language.is('weeks', unit)) return addDays(first, 4)
  return lastDay(first, language.is('months', unit) ? 1 : 12)
}

/** The last day of so many months. */
const lastDay = (first: string, months: number): string => addDays(addMonths(first, months), -1)

/** A weekday before a date has to be that of the date. */
function readWeekdayOrDate(text: string, context: Context): string | undefined {
  const { language, today, tense } = context
  const [first, ...rest] = text.split(' ')
  const weekday = language.weekdayNamed(first)
  if (weekday === undefined) return readDate(text, context)
  if (rest.length === 0) return weekdayNear(weekday, today, tense)
  // The weekday may show that the other direction is meant.
  const directions = [tense, tense === 'future' ? 'past' : 'future'] as const
  return directions
    .map((one) => readDate(rest.join(' '), { ...context, tense: one }))
    .find((date) => date !== undefined && weekdayOf(date) === weekday)
}

/** Without a year or a month it is the nearest such day. */
function readDate(text: string, { language, today, tense }: Context): string | undefined {
  const { year, month, day } = partsOf(text, language)
  if (day === undefined) return undefined
  const dateIn = (y: string, m: number) =>
    existing(`${y}-${String(m).padStart(2, '0')}-${day.padStart(2, '0')}`)
  if (year !== undefined && month !== undefined) return dateIn(year.padStart(4, '20'), month)
  const sign = tense === 'future' ? 1 : -1
  // 29 February may be eight years away.
  const starts = Array.from({ length: 12 }, (_, steps) =>
    addMonths(monthStart(today), sign * steps * (month === undefined ? 1 : 12)),
  )
  return starts
    .map((start) => dateIn(start.slice(0, 4), month ?? Number(start.slice(5, 7))))
    .find((one) => one !== undefined && (tense === 'future' ? one >= today : one <= today))
}

interface Parts {
  year?: string | undefined
  /** From 1. */
  month?: number
  day?: string | undefined
}

/** Year, month and day, as far as the text has them. */
function partsOf(text: string, { is, monthNamed, isMonthFirst }: DateLanguage): Parts {
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text)
  if (iso) return { year: iso[1], month: Number(iso[2]), day: iso[3] }
  const dotted = /^(\d\d?)\. ?(\d\d?)(?:\.|\. ?(\d{4})|\.(\d\d))?$/.exec(text)
  if (dotted) return { year: dotted[3] ?? dotted[4], month: Number(dotted[2]), day: dotted[1] }
  const slashed = /^(\d\d?)\/(\d\d?)(?:\/(\d{4}|\d\d))?$/.exec(text)
  if (slashed) {
    const [, first = '', second = '', year] = slashed
    const startsWithMonth = isMonthFirst ? Number(first) <= 12 : Number(second) > 12
    return startsWithMonth
      ? { year, month: Number(first), day: second }
      : { year, month: Number(second), day: first }
  }
  const named =
    /^(?<day>\d\d?)(?:st|nd|rd|th|\.)? ?(?<of>\p{L}+ )??(?<month>\p{L}+)(?: (?<year>\d{4}|2[5-9]|[3-9]\d))?$/u.exec(
      text,
    ) ?? /^(?<month>\p{L}+) ?(?<day>\d\d?)(?:st|nd|rd|th|\.)?(?: (?<year>\d{4}|2[5-9]|[3-9]\d))?$/u.exec(text)
  const month = monthNamed(named?.groups?.['month'])
  const of = named?.groups?.['of']
  if (named && month !== undefined && (of === undefined || is('of', of.trim())))
    return { year: named.groups?.['year'], month: month + 1, day: named.groups?.['day'] }
  return { day: /^(\d\d?)(?:st|nd|rd|th|\.)$/.exec(text)?.[1] }
}
