import { locale } from '../../words/locale.ts'

/** Not every browser knows the first day of the week, and not all that do name it alike. */
interface WeekInfo {
  getWeekInfo?(): { firstDay: number }
  weekInfo?: { firstDay: number }
}
const here = new Intl.Locale(locale) as Intl.Locale & WeekInfo

/** The first day of the week where the person is: 0 is Sunday, 1 Monday. */
export const firstWeekday = ((here.getWeekInfo?.() ?? here.weekInfo)?.firstDay ?? 1) % 7
