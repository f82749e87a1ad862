import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { language, locale } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import './calendar.css'
import { dates } from './date-words.ts'
import { momentOf, typedDateOf } from './typed-date.ts'
import { firstWeekday } from './week.ts'

interface Props {
  /** The chosen day, such as `2026-11-16`. */
  chosen: string | undefined
  onChoose(date: string): void
}

const monthName = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const weekdayNames = (width: 'short' | 'long') => new Intl.DateTimeFormat(locale, { weekday: width })
const [shortWeekday, longWeekday] = [weekdayNames('short'), weekdayNames('long')]

/** A month to choose a day from; loaded when it is first shown. */
export default function Calendar({ chosen, onChoose }: Props) {
  const noon = (date: string) => momentOf({ date, time: '12:00' })
  const [month, setMonth] = useState(() => (chosen === undefined ? new Date() : noon(chosen)))
  const [shown, setShown] = useState(chosen)
  // A typed date is shown in its month.
  if (chosen !== shown) {
    setShown(chosen)
    if (chosen !== undefined) setMonth(noon(chosen))
  }
  return (
    <DayPicker
      className="calendar"
      lang={language}
      mode="single"
      required
      showOutsideDays
      fixedWeeks
      navLayout="around"
      weekStartsOn={firstWeekday as 0 | 1 | 6}
      month={month}
      onMonthChange={setMonth}
      selected={chosen === undefined ? undefined : noon(chosen)}
      onSelect={(day) => onChoose(typedDateOf(day).date)}
      components={{
        Chevron: ({ orientation }) => (orientation === 'left' ? <ChevronLeft /> : <ChevronRight />),
      }}
      formatters={{
        formatCaption: (day) => monthName.format(day),
        formatDay: (day) => String(day.getDate()),
        formatWeekdayName: (day) => shortWeekday.format(day).replace('.', ''),
      }}
      labels={{
        labelGrid: (day) => monthName.format(day),
        labelWeekday: (day) => longWeekday.format(day),
        labelDayButton: (day, { today }) => {
          const name = dates.full({ date: typedDateOf(day).date })
          return today ? t('Today, {day}', { day: name }) : name
        },
        labelPrevious: () => t('Previous month'),
        labelNext: () => t('Next month'),
      }}
    />
  )
}
