import type { Answered } from '#contract/router.ts'
import type { Log } from '../log.ts'

/** Counts each answer and writes its line of the log. */
export const recordAnswers =
  (log: Log, observe: (operation: string, status: number, milliseconds: number) => void) =>
  ({ operation, status, code, userId, requestId, milliseconds, unknown, error }: Answered) => {
    observe(operation?.path ?? 'unknown', status, milliseconds)
    const line = {
      requestId,
      userId,
      operation: operation?.path ?? unknown,
      status,
      code,
      milliseconds: Math.round(milliseconds * 10) / 10,
    }
    if (error) log.error({ ...line, error }, 'failed')
    else log.info(line, 'answered')
  }
