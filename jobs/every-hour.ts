import { turnSandboxPeriods } from '#billing/sandbox.ts'
import { recordExpiredTrials } from '#billing/trial.ts'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { purgeDeleted } from './purge-deleted.ts'
import { sweepExpired } from './sweep-expired.ts'

const hourMilliseconds = 3_600_000

/** Runs the housekeeping at the start and then each hour; a failure is logged and the next hour tries again. */
export function everyHour(db: Database, log: Log) {
  const jobs = async () => {
    await sweepExpired(db)
    await purgeDeleted(db)
    await recordExpiredTrials(db)
    await turnSandboxPeriods(db)
  }
  const run = () => jobs().catch((error) => log.warn({ error }, 'housekeeping failed'))
  let running = run()
  const timer = setInterval(() => {
    running = run()
  }, hourMilliseconds)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}
