import { locale } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { type DateWords, dateTyping } from './typed-date.ts'

/** What people may type in the language of the app; months and weekdays come from the browser. */
export const dateWords: DateWords = {
  today: t('today', { as: 'typed date' }),
  tomorrow: t('tomorrow, tom, tmr', { as: 'typed date' }),
  dayAfterTomorrow: t('day after tomorrow, the day after tomorrow', { as: 'typed date' }),
  yesterday: t('yesterday', { as: 'typed date' }),
  in: t('in', { as: 'typed date' }),
  next: t('next', { as: 'typed date' }),
  at: t('at', { as: 'typed date' }),
  oClock: t("o'clock, h", { as: 'typed date' }),
  one: t('a, an, one', { as: 'typed date' }),
  hours: t('h, hr, hrs, hour, hours', { as: 'typed date' }),
  days: t('d, day, days', { as: 'typed date' }),
  weeks: t('w, wk, wks, week, weeks', { as: 'typed date' }),
  months: t('m, month, months', { as: 'typed date' }),
  years: t('y, yr, year, years', { as: 'typed date' }),
}

export const dates = dateTyping(locale, dateWords)
