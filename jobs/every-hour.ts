import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { sweepSessions } from './sweep-sessions.ts'

const hourMilliseconds = 3_600_000

/** Runs the housekeeping at the start and then each hour; a failure is logged and the next hour tries again. */
export function everyHour(db: Database, log: Log) {
  const sweep = () => sweepSessions(db).catch((error) => log.warn({ error }, 'housekeeping failed'))
  let running = sweep()
  const timer = setInterval(() => {
    running = sweep()
  }, hourMilliseconds)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
