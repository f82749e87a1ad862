// Reads dates as people type them ("fri", "tomorrow 9", "+3d", "16 Nov") and writes them so that they can be read again.

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
    | 'in'
    | 'next'
    | 'at'
    | 'oClock'
    | 'one'
    | 'hours'
    | 'days'
    | 'weeks'
    | 'months'
    | 'years',
    string
  >
>

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
  const first = asUtc(`${date.slice(0, 8)}01`)
  first.setUTCMonth(first.getUTCMonth() + months)
  const last = new Date(first)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  first.setUTCDate(Math.min(Number(date.slice(8)), last.getUTCDate()))
  return asDate(first)
}

/** The Monday after a day. */
export const nextMonday = (date: string): string => addDays(date, 7 - ((asUtc(date).getUTCDay() + 6) % 7))

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
  function read(text: string, now = new Date()): TypedDate | undefined {
    const folded = fold(text).replace(/^(\d{4}-\d\d?-\d\d?)t(?=\d)/, '$1 ')
    const date = readDay(folded, now)
    if (date !== undefined) return { date }
    return readHours(folded, now) ?? readWithTime(folded, now)
  }

  function readWithTime(text: string, now: Date): TypedDate | undefined {
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
      const date = readDay(dayText, now)
      return date === undefined ? undefined : { date, time }
    }
    // A number alone could be an hour or a day.
    if (separator !== ':' && suffix === undefined && !hasAt) return undefined
    const here = typedDateOf(now)
    return { date: time > here.time ? here.date : addDays(here.date, 1), time }
  }

  function readHours(text: string, now: Date): TypedDate | undefined {
    const { count, unit } = readCount(text)
    if (count === undefined || !is('hours', unit)) return undefined
    return typedDateOf(new Date(now.getTime() + count * 3_600_000))
  }

  /** `+3d`, `in 2 weeks`, `3 days`; the unit is empty for `+3`. */
  function readCount(text: string): { count?: number; unit?: string } {
    const [, sign, word, number, unit = ''] =
      /^(?:(\+) ?|(\p{L}+) )?(\d{1,3}|\p{L}+)(?: ?(\p{L}+))?$/u.exec(text) ?? []
    if (number === undefined || (word !== undefined && !is('in', word))) return {}
    if (unit === '' && sign === undefined) return {}
    if (/\d/.test(number)) return { count: Number(number), unit }
    return word !== undefined && is('one', number) ? { count: 1, unit } : {}
  }

  function readDay(text: string, now: Date): string | undefined {
    const { date: today } = typedDateOf(now)
    if (is('today', text)) return today
    if (is('tomorrow', text)) return addDays(today, 1)
    if (is('dayAfterTomorrow', text)) return addDays(today, 2)
    if (is('yesterday', text)) return addDays(today, -1)
    return readLater(text, today) ?? readNext(text, today) ?? readWeekdayOrDate(text, today)
  }

  function readLater(text: string, today: string): string | undefined {
    const { count, unit } = readCount(text)
    if (count === undefined) return undefined
    if (unit === '' || is('days', unit)) return addDays(today, count)
    if (is('weeks', unit)) return addDays(today, 7 * count)
    if (is('months', unit)) return addMonths(today, count)
    return is('years', unit) ? addMonths(today, 12 * count) : undefined
  }

  function readNext(text: string, today: string): string | undefined {
    const [first, second, more] = text.split(' ')
    if (!is('next', first) || more !== undefined) return undefined
    if (is('weeks', second)) return nextMonday(today)
    if (is('months', second)) return `${addMonths(today, 1).slice(0, 8)}01`
    if (is('years', second)) return `${addMonths(today, 12).slice(0, 5)}01-01`
    const weekday = weekdayOf(second)
    return weekday === undefined ? undefined : addDays(nextMonday(today), (weekday + 6) % 7)
  }

  /** A weekday is the next one after today; before a date it has to be that of the date. */
  function readWeekdayOrDate(text: string, today: string): string | undefined {
    const [first, ...rest] = text.split(' ')
    const weekday = weekdayOf(first)
    if (weekday === undefined) return readDate(text, today)
    if (rest.length === 0) return addDays(today, ((weekday - asUtc(today).getUTCDay() + 6) % 7) + 1)
    const date = readDate(rest.join(' '), today)
    return date !== undefined && asUtc(date).getUTCDay() === weekday ? date : undefined
  }

  function readDate(text: string, today: string): string | undefined {
    const [year, month, date] = partsOf(text)
    if (date === undefined) return undefined
    const full = (y: string, m: number) => existing(`${y}-${twoDigits(m)}-${twoDigits(Number(date))}`)
    if (year !== undefined && month !== undefined) return full(year.padStart(4, '20'), month)
    // Without a year or a month it is the next such day; 29 February may be eight years away.
    const starts = Array.from({ length: 12 }, (_, ahead) =>
      addMonths(`${today.slice(0, 8)}01`, month === undefined ? ahead : 12 * ahead),
    )
    return starts
      .map((start) => full(start.slice(0, 4), month ?? Number(start.slice(5, 7))))
      .find((one) => one !== undefined && one >= today)
  }

  /** Year, month and day, as far as the text has them. */
  function partsOf(text: string): [year?: string | undefined, month?: number | undefined, day?: string] {
    const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(text)
    if (iso) return [iso[1], Number(iso[2]), iso[3] as string]
    const dotted = /^(\d\d?)\. ?(\d\d?)(?:\.|\. ?(\d{4})|\.(\d\d))?$/.exec(text)
    if (dotted) return [dotted[3] ?? dotted[4], Number(dotted[2]), dotted[1] as string]
    const slashed = /^(\d\d?)\/(\d\d?)(?:\/(\d{4}|\d\d))?$/.exec(text)
    if (slashed) {
      const [, first, second, year] = slashed as unknown as [string, string, string, string | undefined]
      const startsWithMonth = isMonthFirst ? Number(first) <= 12 : Number(second) > 12
      return startsWithMonth ? [year, Number(first), second] : [year, Number(second), first]
    }
    const named =
      /^(?<day>\d\d?)(?:st|nd|rd|th|\.)? ?(?<month>\p{L}+)(?: (?<year>\d{4}))?$/u.exec(text) ??
      /^(?<month>\p{L}+) ?(?<day>\d\d?)(?:st|nd|rd|th|\.)?(?: (?<year>\d{4}))?$/u.exec(text)
    const month = monthOf(named?.groups?.['month'])
    if (named && month !== undefined)
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
      return writer({
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(!isSoon && { year: 'numeric' }),
        ...(typed.time !== undefined && { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit' }),
      }).format(asShown(typed))
    },
    /** `Monday 16 November 2026`, for screen readers and tips. */
    full: (typed: TypedDate): string =>
      writer({ dateStyle: 'full', ...(typed.time !== undefined && { timeStyle: 'short' }) }).format(
        asShown(typed),
      ),
  }
}

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
