// Reads dates as people type them ("fri", "tomorrow 9", "+3d", "3 days ago", "16 Nov") and writes them so that they can be read again.
import { addDays, asDate } from './calendar-date.ts'
import { type DateWords, dateLanguage, fold } from './date-language.ts'
import { dateText } from './date-text.ts'
import { type Context, readCount, readDay, type Tense } from './reading-day.ts'

/** A day of the calendar and perhaps a time of the clock, where the person is: `2026-11-16` and `09:00`. */
export interface TypedDate {
  date: string
  time?: string
}

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

/** Reads and writes the dates of a language and its country (`en-GB`). */
export function dateTyping(locale: string, words: DateWords) {
  const language = dateLanguage(locale, words)
  return {
    /** Undefined if the text has no clear meaning. */
    read: (
      text: string,
      { now = new Date(), tense = 'future' }: { now?: Date; tense?: Tense | undefined } = {},
    ): TypedDate | undefined => read(text, { language, tense, now, today: typedDateOf(now).date }),
    ...dateWriting(locale),
  }
}

interface Asked extends Context {
  now: Date
}

function read(text: string, asked: Asked): TypedDate | undefined {
  const words = fold(text)
    .replace(/^(\d{4}-\d\d?-\d\d?)t(?=\d)/, '$1 ')
    .split(' ')
  while (asked.language.is('on', words[0])) words.shift()
  const folded = words.join(' ')
  const date = readDay(folded, asked)
  if (date !== undefined) return { date }
  return readMoment(folded, asked) ?? readPartOfDay(folded, asked) ?? readWithTime(folded, asked)
}

/** `in 3 hours`, `+30m`, `2h ago` */
function readMoment(text: string, asked: Asked): TypedDate | undefined {
  const { is } = asked.language
  const { count, unit } = readCount(text, asked)
  const length = is('hours', unit) ? 3_600_000 : is('minutes', unit) ? 60_000 : undefined
  if (count === undefined || length === undefined) return undefined
  return typedDateOf(new Date(asked.now.getTime() + count * length))
}

/** When the parts of a day begin. */
const partsOfDay = { morning: '09:00', noon: '12:00', afternoon: '14:00', evening: '18:00' } as const

/** `tomorrow morning`, `fri at noon`, `tonight` */
function readPartOfDay(text: string, asked: Asked): TypedDate | undefined {
  const { language, today } = asked
  if (language.is('tonight', text)) return { date: today, time: partsOfDay.evening }
  const [part = '', ...reversed] = text.split(' ').reverse()
  const [, time] =
    Object.entries(partsOfDay).find(([name]) => language.is(name as keyof DateWords, part)) ?? []
  if (time === undefined) return undefined
  const before = reversed.slice(language.is('at', reversed[0]) ? 1 : 0).reverse()
  if (before.length === 0) return nearest(time, asked)
  const isToday = before.length === 1 && language.is('this', before[0])
  const date = isToday ? today : readDay(before.join(' '), asked)
  return date === undefined ? undefined : { date, time }
}

/** `tomorrow 9`, `fri at 9.30`, `16:00` */
function readWithTime(text: string, asked: Asked): TypedDate | undefined {
  const { is } = asked.language
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
    const date = readDay(dayText, asked)
    return date === undefined ? undefined : { date, time }
  }
  // A number alone could be an hour or a day.
  if (separator !== ':' && suffix === undefined && !hasAt) return undefined
  return nearest(time, asked)
}

/** A time alone is the next one, or the last one. */
function nearest(time: string, { now, today, tense }: Asked): TypedDate {
  const present = typedDateOf(now).time
  const isToday = tense === 'future' ? time > present : time <= present
  return { date: isToday ? today : addDays(today, tense === 'future' ? 1 : -1), time }
}

function halfDayHour(hour: number, half: 'am' | 'pm'): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function dateWriting(locale: string) {
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
