import { locale } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import type { DateWords } from './date-language.ts'
import { dateTyping } from './typed-date.ts'

/** What people may type in the language of the app; months and weekdays come from the browser. */
export const dateWords: DateWords = {
  today: t('today', { as: 'typed date' }),
  tomorrow: t('tomorrow, tom, tmr, tmrw', { as: 'typed date' }),
  dayAfterTomorrow: t('day after tomorrow, the day after tomorrow', { as: 'typed date' }),
  yesterday: t('yesterday', { as: 'typed date' }),
  dayBeforeYesterday: t('day before yesterday, the day before yesterday', { as: 'typed date' }),
  on: t('on, by, until, till, since', { as: 'typed date' }),
  in: t('in', { as: 'typed date' }),
  ago: t('ago', { as: 'typed date' }),
  next: t('next', { as: 'typed date' }),
  coming: t('coming, this coming', { as: 'typed date' }),
  last: t('last, past, previous', { as: 'typed date' }),
  this: t('this', { as: 'typed date' }),
  endOf: t('end of the, end of', { as: 'typed date' }),
  endOfDay: t('eod, end of day, end of the day', { as: 'typed date' }),
  endOfWeek: t('eow, end of week, end of the week', { as: 'typed date' }),
  endOfMonth: t('eom, end of month, end of the month', { as: 'typed date' }),
  endOfYear: t('eoy, end of year, end of the year', { as: 'typed date' }),
  weekend: t('weekend, the weekend, this weekend', { as: 'typed date' }),
  of: t('of', { as: 'typed date' }),
  at: t('at', { as: 'typed date' }),
  oClock: t("o'clock, h", { as: 'typed date' }),
  morning: t('morning', { as: 'typed date' }),
  noon: t('noon, midday', { as: 'typed date' }),
  afternoon: t('afternoon', { as: 'typed date' }),
  evening: t('evening', { as: 'typed date' }),
  tonight: t('tonight', { as: 'typed date' }),
  one: t('a, an, one', { as: 'typed date' }),
  numbers: t('two, three, four, five, six, seven, eight, nine, ten, eleven, twelve', { as: 'typed date' }),
  minutes: t('m, min, mins, minute, minutes', { as: 'typed date' }),
  hours: t('h, hr, hrs, hour, hours', { as: 'typed date' }),
  days: t('d, day, days', { as: 'typed date' }),
  weeks: t('w, wk, wks, week, weeks', { as: 'typed date' }),
  months: t('mo, mos, month, months', { as: 'typed date' }),
  years: t('y, yr, yrs, year, years', { as: 'typed date' }),
}

export const dates = dateTyping(locale, dateWords)
