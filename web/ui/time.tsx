import { locale } from '../words/locale.ts'
import { t } from '../words/words.ts'
import { capital } from './capital.ts'
import { useTimely } from './clock.ts'
import { dateText } from './date/date-text.ts'
import { midnight } from './days.ts'

const day = 86_400_000
const short = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' })
const shortWithYear = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric' })
const long = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' })
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', month: 'short', day: 'numeric' })
const weekdayWithTime = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const shortRelative = new Intl.RelativeTimeFormat(locale, { style: 'short' })

/** Rounded, because a day may have 23 or 25 hours. */
const daysFrom = (now: Date, date: Date) =>
  Math.round((midnight(0, date.getTime()) - midnight(0, now.getTime())) / day)

/** Yesterday, today and tomorrow by name, other days by date; capitalized, for a label. */
export const dayName = (iso: string, now?: Date): string => capital(dayInText(iso, now))

/** The same inside a sentence. */
export function dayInText(iso: string, now = new Date()): string {
  const date = new Date(iso)
  const days = daysFrom(now, date)
  if (Math.abs(days) <= 1) return relative.format(days, 'day')
  return (date.getFullYear() === now.getFullYear() ? short : shortWithYear).format(date)
}

/** A date of a card, with its weekday, and with its time if it has one; in other years the day is enough, and room is scarce. */
export function dateInText(iso: string, hasTime: boolean, now = new Date()): string {
  const date = new Date(iso)
  if (Math.abs(daysFrom(now, date)) <= 1) {
    const name = dayInText(iso, now)
    return hasTime ? t('{day}, {time}', { day: name, time: clock.format(date) }) : name
  }
  if (date.getFullYear() !== now.getFullYear()) return shortWithYear.format(date)
  return dateText(hasTime ? weekdayWithTime : weekday, date)
}

/** The same capitalized, for a label. */
export const dateName = (iso: string, hasTime: boolean): string => capital(dateInText(iso, hasTime))

export const fullTime = (iso: string): string => long.format(new Date(iso))

export const fullDay = (iso: string): string => longDay.format(new Date(iso))

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
  ['week', 604_800],
]

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  const shown = useTimely(() => ago(at))
  return (
    <time dateTime={at} data-tip={fullTime(at)} className="numbers">
      {shown}
    </time>
  )
}

function ago(at: string): string {
  const seconds = (Date.now() - new Date(at).getTime()) / 1000
  if (seconds < 45) return t('just now')
  const [unit, length] = steps.findLast(([, least]) => seconds >= least * 0.75) ?? ['minute', 60]
  const count = -Math.round(seconds / length)
  if (unit === 'minute' || unit === 'hour') return shortRelative.format(count, unit).replace('. ', ' ')
  return unit === 'week' && seconds > 4 * length ? dayInText(at) : relative.format(count, unit)
}
