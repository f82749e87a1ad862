import { dueTime } from '#boards/card/due.ts'
import { dayInText } from '../ui/time.tsx'

/** The day of a deadline, which is the same everywhere. */
export const deadlineInText = (deadline: string): string =>
  dayInText(new Date(dueTime({ due_date: deadline, due_is_date: true })).toISOString())
