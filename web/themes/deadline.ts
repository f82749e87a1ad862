import { dueTime } from '#boards/card/due.ts'
import { dayInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'

interface Ending {
  deadline: string
  replacement: { theme_name: string; version: string } | null
}

/** What replaces a version, and until when. */
export const untilInText = ({ deadline, replacement }: Ending): string =>
  replacement === null
    ? t('Until {day}', { day: deadlineInText(deadline) })
    : t('Replaced by {theme} · until {day}', {
        theme: `${replacement.theme_name} ${replacement.version}`,
        day: deadlineInText(deadline),
      })

/** The day of a deadline, which is the same everywhere. */
export const deadlineInText = (deadline: string): string =>
  dayInText(new Date(dueTime({ due_date: deadline, due_is_date: true })).toISOString())
