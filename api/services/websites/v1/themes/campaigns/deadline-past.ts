import { dueOnDay } from '#boards/card/due.ts'

export const deadlineAbout = 'A day, at whose end in UTC it is; a time of day does not matter.'

/** What operations that set a deadline answer for one that has passed. */
export const deadlinePast = { past: 'The :attribute must be in the future.' } as const

export const isDeadlinePast = (deadline: string): boolean => Date.parse(dueOnDay(deadline)) <= Date.now()
