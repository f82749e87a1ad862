// Reads dates as people type them ("fri", "tomorrow 9", "+3d", "3 days ago", "16 Nov") and writes them so that they can be read again.
import { dateText } from './date-text.ts'

/** A day of the calendar and perhaps a time of the clock, where the person is: `2026-11-16` and `09:00`. */
export interface TypedDate {
  date: string
  time?: string
}

/** The words of a language, each with its forms separated by commas. */
export type DateWords = Readonly<
  Record<
    | 'today'
    | 'tomorrow'
    | 'dayAfterTomorrow'
    | 'yesterday'
    | 'dayBeforeYesterday'
    | 'on'
    | 'in'
    | 'ago'
    | 'next'
    | 'coming'
    | 'last'
    | 'this'
    | 'endOf'
    | 'endOfDay'
    | 'endOfWeek'
    | 'endOfMonth'
    | 'endOfYear'
    | 'weekend'
    | 'of'
    | 'at'
    | 'oClock'
    | 'morning'
    | 'noon'
    | 'afternoon'
    | 'evening'
    | 'tonight'
    | 'one'
    | 'numbers'
    | 'minutes'
    | 'hours'
    | 'days'
    | 'weeks'
    | 'months'
    | 'years',
    string
  >
>

/** What a day without a year, such as "fri" or "16 Nov", means: the next one or the last one. */
export type Tense = 'future' | 'past'

const day = 86_400_000

const asUtc = (date: string) => new Date(`${date}T00:00Z`)
const asDate = (utc: Date | number) => new Date(utc).toISOString().slice(0, 10)
const twoDigits = (number: number) => String(number).padStart(2, '0')

/** The day and the time of a moment where the person is. */
export function typedDateOf(moment: Date): Required<TypedDate> {
  const here = new Date(0)
  here.setUTCFullYear(moment.getFullYear(), moment.getMonth(), moment.getDate())
  return { date: asDate(here), time: `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}` }
}

/** The moment of a day and a time where the person is. */
export function momentOf({ date, time }: Required<TypedDate>): Date {
  return new Date(`${date}T${time}`)
}

export const addDays = (date: string, days: number): string => asDate(asUtc(date).getTime() + days * day)

/** The same day of a later month, or its last one. */
function addMonths(date: string, months: number): string {
  const first = asUtc(monthStart(date))
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(Number(date.slice(8)), last.getUTCDate()))
  return asDate(first)
}

/** The Monday of the week of a day. */
const mondayOf = (date: string): string => addDays(date, -((asUtc(date).getUTCDay() + 6) % 7))

/** The Monday after a day. */
export const nextMonday = (date: string): string => addDays(mondayOf(date), 7)

const monthStart = (date: string): string => `${date.slice(0, 8)}01`
const yearStart = (date: string): string => `${date.slice(0, 5)}01-01`

/** Lower case without accents, commas and the dots of abbreviations. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}|(?<=\p{L})\./gu, '')
    .replaceAll(/[\s,]+/g, ' ')
    .trim()

/** Reads and writes the dates of a language and its country (`en-GB`). */
export function dateTyping(locale: string, words: DateWords) {
  const forms = Object.fromEntries(
    Object.entries(words).map(([name, list]) => [name, list.split(',').map(fold)]),
  ) as Record<keyof DateWords, string[]>
  const is = (name: keyof DateWords, word: string | undefined) =>
    word !== undefined && forms[name].includes(word)
  const months = namesOf(locale, 'month', (index) => Date.UTC(2000, index, 15), 12)
  // 2 January 2000 was a Sunday.
  const weekdays = namesOf(locale, 'weekday', (index) => Date.UTC(2000, 0, 2 + index), 7)
  const monthOf = (word: string | undefined) => findName(months, word, 3)
  const weekdayOf = (word: string | undefined) => findName(weekdays, word, 2)
  const order = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  const isMonthFirst = order.indexOf('month') < order.indexOf('day')

  /** Undefined if the text has no clear meaning. */
  function read(
    text: string,
    { now = new Date(), tense = 'future' }: { now?: Date; tense?: Tense | undefined } = {},
  ): TypedDate | undefined {
    const words = fold(text)
      .replace(/^(\d{4}-\d\d?-\d\d?)t(?=\d)/, '$1 ')
      .split(' ')
    while (is('on', words[0])) words.shift()
    const folded = words.join(' ')
    const date = readDay(folded, now, tense)
    if (date !== undefined) return { date }
    return (
      readMoment(folded, now, tense) ?? readPartOfDay(folded, now, tense) ?? readWithTime(folded, now, tense)
    )
  }

  function readWithTime(text: string, now: Date, tense: Tense): TypedDate | undefined {
    const [, before = '', hour, separator, minutes = '00', suffix] =
      /^(?:(.*) )?(\d\d?)(?:([:.])(\d\d))?(?: ?([^\d\s:.]+))?$/.exec(text) ?? []
    const isHalf = suffix === 'am' || suffix === 'pm'
    if (hour === undefined || (suffix !== undefined && !isHalf && !is('oClock', suffix))) return undefined
    const clock = isHalf ? halfDayHour(Number(hour), suffix) : Number(hour)
    if (clock === undefined || clock > 23 || Number(minutes) > 59) return undefined
    const time = `${twoDigits(clock)}:${minutes}`
    const [last = '', ...rest] = before.split(' ').reverse()
    const hasAt = is('at', last)
    const dayText = hasAt ? rest.reverse().join(' ') : before
    if (dayText !== '') {
      const date = readDay(dayText, now, tense)
      return date === undefined ? undefined : { date, time }
    }
    // A number alone could be an hour or a day.
    if (separator !== ':' && suffix === undefined && !hasAt) return undefined
    return nearest(time, now, tense)
  }

  /** A time alone is the next one, or the last one. */
  function nearest(time: string, now: Date, tense: Tense): TypedDate {
    const here = typedDateOf(now)
    const isToday = tense === 'future' ? time > here.time : time <= here.time
    return { date: isToday ? here.date : addDays(here.date, tense === 'future' ? 1 : -1), time }
  }

  /** `tomorrow morning`, `fri at noon`, `tonight` */
  function readPartOfDay(text: string, now: Date, tense: Tense): TypedDate | undefined {
    if (is('tonight', text)) return { date: typedDateOf(now).date, time: partsOfDay.evening }
    const [part = '', ...reversed] = text.split(' ').reverse()
    const [, time] = Object.entries(partsOfDay).find(([name]) => is(name as keyof DateWords, part)) ?? []
    if (time === undefined) return undefined
    const before = reversed.slice(is('at', reversed[0]) ? 1 : 0).reverse()
    if (before.length === 0) return nearest(time, now, tense)
    const isToday = before.length === 1 && is('this', before[0])
    const date = isToday ? typedDateOf(now).date : readDay(before.join(' '), now, tense)
    return date === undefined ? undefined : { date, time }
  }

  /** `in 3 hours`, `+30m`, `2h ago` */
  function readMoment(text: string, now: Date, tense: Tense): TypedDate | undefined {
    const { count, unit } = readCount(text, tense)
    const length = is('hours', unit) ? 3_600_000 : is('minutes', unit) ? 60_000 : undefined
    if (count === undefined || length === undefined) return undefined
    return typedDateOf(new Date(now.getTime() + count * length))
  }

  /** `+3d`, `in 2 weeks`, `3 days`, `3 days ago`, `-3d`; the unit is empty for `+3`, and the count is negative for the past. */
  function readCount(text: string, tense: Tense): { count?: number; unit?: string } {
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
    const count = /^\d{1,3}$/.test(number)
      ? Number(number)
      : isAfter || isBefore
        ? numberOf(number)
        : undefined
    if (count === undefined) return {}
    return { count: isBefore || (!isAfter && tense === 'past') ? -count : count, unit }
  }

  function numberOf(word: string): number | undefined {
    if (is('one', word)) return 1
    const place = forms.numbers.indexOf(word)
    return place < 0 ? undefined : place + 2
  }

  function readDay(text: string, now: Date, tense: Tense): string | undefined {
    const { date: today } = typedDateOf(now)
    if (is('today', text) || is('endOfDay', text)) return today
    if (is('tomorrow', text)) return addDays(today, 1)
    if (is('dayAfterTomorrow', text)) return addDays(today, 2)
    if (is('yesterday', text)) return addDays(today, -1)
    if (is('dayBeforeYesterday', text)) return addDays(today, -2)
    return (
      readDistance(text, today, tense) ??
      readNeighbor(text, today, tense) ??
      readEnd(text, today) ??
      readWeekdayOrDate(text, today, tense)
    )
  }

  function readDistance(text: string, today: string, tense: Tense): string | undefined {
    const { count, unit } = readCount(text, tense)
    if (count === undefined) return undefined
    if (unit === '' || is('days', unit)) return addDays(today, count)
    if (is('weeks', unit)) return addDays(today, 7 * count)
    if (is('months', unit)) return addMonths(today, count)
    return is('years', unit) ? addMonths(today, 12 * count) : undefined
  }

  /** `next week`, `last month`, `next fri`, `fri next week`; a week, month or year is its first day. */
  function readNeighbor(text: string, today: string, tense: Tense): string | undefined {
    const coming = forms.coming.find((form) => text.startsWith(`${form} `))
    if (coming !== undefined) return readComing(text.slice(coming.length + 1), today, tense)
    const words = text.split(' ')
    if (words.length === 3) {
      const weekday = weekdayOf(words[0])
      const week = is('weeks', words[2]) ? readNeighbor(words.slice(1).join(' '), today, 'past') : undefined
      return weekday === undefined || week === undefined ? undefined : addDays(week, (weekday + 6) % 7)
    }
    const [which, what] = words
    const steps = is('next', which) ? 1 : is('last', which) ? -1 : is('this', which) ? 0 : undefined
    if (steps === undefined || words.length !== 2) return undefined
    const weekday = weekdayOf(what)
    if (weekday !== undefined && steps < 0) return weekdayNear(weekday, today, 'past')
    if (weekday !== undefined) return addDays(mondayOf(today), 7 * steps + ((weekday + 6) % 7))
    // Something that is due this week is not due on its first day.
    if (steps === 0 && tense === 'future') return undefined
    if (is('weeks', what)) return addDays(mondayOf(today), 7 * steps)
    if (is('months', what)) return addMonths(monthStart(today), steps)
    return is('years', what) ? addMonths(yearStart(today), 12 * steps) : undefined
  }

  /** The coming Friday may be in this week, but the coming week is the next one. */
  function readComing(what: string, today: string, tense: Tense): string | undefined {
    const weekday = weekdayOf(what)
    if (weekday !== undefined) return weekdayNear(weekday, today, 'future')
    return readNeighbor(`${forms.next[0]} ${what}`, today, tense)
  }

  /** `eom`, `end of month`, `end of next week`, `weekend`. A week ends on Friday. */
  function readEnd(text: string, today: string): string | undefined {
    if (is('weekend', text)) return weekdayNear(6, addDays(today, -1), 'future')
    if (is('endOfWeek', text)) return weekdayNear(5, addDays(today, -1), 'future')
    if (is('endOfMonth', text)) return addDays(addMonths(monthStart(today), 1), -1)
    if (is('endOfYear', text)) return addDays(addMonths(yearStart(today), 12), -1)
    const start = forms.endOf.find((form) => text.startsWith(`${form} `))
    if (start === undefined) return undefined
    const period = text.slice(start.length + 1)
    if (monthOf(period) !== undefined) {
      const first = readDate(`1 ${period}`, monthStart(today), 'future')
      return first === undefined ? undefined : addDays(addMonths(first, 1), -1)
    }
    const first = readNeighbor(period, today, 'past')
    const unit = period.split(' ').at(-1)
    if (first === undefined || weekdayOf(unit) !== undefined) return undefined
    if (is('weeks', unit)) return addDays(first, 4)
    return addDays(addMonths(first, is('months', unit) ? 1 : 12), -1)
  }

  /** The next such day after a date, or the last one before it. */
  const weekdayNear = (weekday: number, date: string, tense: Tense): string => {
    const ahead = (weekday - asUtc(date).getUTCDay() + 7) % 7
    return addDays(date, tense === 'future' ? ahead || 7 : ahead - 7)
  }

  /** A weekday before a date has to be that of the date. */
  function readWeekdayOrDate(text: string, today: string, tense: Tense): string | undefined {
    const [first, ...rest] = text.split(' ')
    const weekday = weekdayOf(first)
    if (weekday === undefined) return readDate(text, today, tense)
    if (rest.length === 0) return weekdayNear(weekday, today, tense)
    // The weekday may show that the other direction is meant.
    return [tense, tense === 'future' ? 'past' : 'future']
      .map((one) => readDate(rest.join(' '), today, one as Tense))
      .find((date) => date !== undefined && asUtc(date).getUTCDay() === weekday)
  }

  function readDate(text: string, today: string, tense: Tense): string | undefined {
    const [year, month, date] = partsOf(text)
    if (date === undefined) return undefined
    const full = (y: string, m: number) => existing(`${y}-${twoDigits(m)}-${twoDigits(Number(date))}`)
    if (year !== undefined && month !== undefined) return full(year.padStart(4, '20'), month)
    // Without a year or a month it is the nearest such day; 29 February may be eight years away.
    const sign = tense === 'future' ? 1 : -1
    const starts = Array.from({ length: 12 }, (_, steps) =>
      addMonths(monthStart(today), sign * steps * (month === undefined ? 1 : 12)),
    )
    return starts
      .map((start) => full(start.slice(0, 4), month ?? Number(start.slice(5, 7))))
      .find((one) => one !== undefined && (tense === 'future' ? one >= today : one <= today))
  }

  /** Year, month and day, as far as the text has them. */
  function partsOf(text: string): [year?: string | undefined, month?: number | undefined, day?: string] {
    const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text)
    if (iso) return [iso[1], Number(iso[2]), iso[3] as string]
    const dotted = /^(\d\d?)\. ?(\d\d?)(?:\.|\. ?(\d{4})|\.(\d\d))?$/.exec(text)
    if (dotted) return [dotted[3] ?? dotted[4], Number(dotted[2]), dotted[1] as string]
    const slashed = /^(\d\d?)\/(\d\d?)(?:\/(\d{4}|\d\d))?$/.exec(text)
    if (slashed) {
      const [, first = '', second = '', year] = slashed
      const startsWithMonth = isMonthFirst ? Number(first) <= 12 : Number(second) > 12
      return startsWithMonth ? [year, Number(first), second] : [year, Number(second), first]
    }
    const named =
      /^(?<day>\d\d?)(?:st|nd|rd|th|\.)? ?(?<of>\p{L}+ )??(?<month>\p{L}+)(?: (?<year>\d{4}|2[5-9]|[3-9]\d))?$/u.exec(
        text,
      ) ??
      /^(?<month>\p{L}+) ?(?<day>\d\d?)(?:st|nd|rd|th|\.)?(?: (?<year>\d{4}|2[5-9]|[3-9]\d))?$/u.exec(text)
    const month = monthOf(named?.groups?.['month'])
    const of = named?.groups?.['of']
    if (named && month !== undefined && (of === undefined || is('of', of.trim())))
      return [named.groups?.['year'], month + 1, named.groups?.['day'] as string]
    const alone = /^(\d\d?)(?:st|nd|rd|th|\.)$/.exec(text)
    return alone ? [undefined, undefined, alone[1] as string] : []
  }

  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const writers = new Map<string, Intl.DateTimeFormat>()
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const key = JSON.stringify(options)
    const made = writers.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    writers.set(key, made)
    return made
  }
  const asShown = ({ date, time = '00:00' }: TypedDate) => new Date(`${date}T${time}Z`)

  return {
    read,
    /** `Mon 16 Nov`, with the year unless it is this one and not past; `read` understands it. */
    short(typed: TypedDate, now = new Date()): string {
      const { date: today } = typedDateOf(now)
      const isSoon = typed.date >= today && typed.date.slice(0, 4) === today.slice(0, 4)
      const format = writer({
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(!isSoon && { year: 'numeric' }),
        ...(typed.time !== undefined && { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' }),
      })
      return dateText(format, asShown(typed))
    },
    /** `Monday 16 November 2026`, for screen readers and tips. */
    full: (typed: TypedDate): string =>
      writer({ dateStyle: 'full', ...(typed.time !== undefined && { timeStyle: 'short' }) }).format(
        asShown(typed),
      ),
  }
}

/** When the parts of a day begin. */
const partsOfDay = { morning: '09:00', noon: '12:00', afternoon: '14:00', evening: '18:00' } as const

/** The date, unless there is no such day. */
function existing(date: string): string | undefined {
  const utc = asUtc(date)
  return Number.isNaN(utc.getTime()) || asDate(utc) !== date ? undefined : date
}

function halfDayHour(hour: number, half: 'am' | 'pm'): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** The long and short names of months or weekdays, alone and in dates. */
function namesOf(
  locale: string,
  unit: 'month' | 'weekday',
  timeOf: (index: number) => number,
  count: number,
) {
  const formats = (['long', 'short'] as const).flatMap((width) =>
    [{}, { day: 'numeric', month: width } as const].map(
      (more) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...more, [unit]: width }),
    ),
  )
  return Array.from({ length: count }, (_, index) =>
    formats.map((format) =>
      fold(format.formatToParts(timeOf(index)).find(({ type }) => type === unit)?.value ?? ''),
    ),
  )
}

/** The index of the only name that begins with these letters. */
function findName(names: string[][], word: string | undefined, leastLetters: number): number | undefined {
  if (word === undefined) return undefined
  const exact = names.findIndex((forms) => forms.includes(word))
  if (exact >= 0) return exact
  const found = names.flatMap((forms, index) => (forms.some((form) => form.startsWith(word)) ? [index] : []))
  return word.length >= leastLetters && found.length === 1 ? found[0] : undefined
}
