import { turnSandboxPeriods } from '#billing/sandbox.ts'
import { recordExpiredTrials } from '#billing/trial.ts'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { purges } from './purge-deleted.ts'
import { sweepExpired } from './sweep-expired.ts'

const hourMilliseconds = 3_600_000
const jobs = { sweepExpired, ...purges, recordExpiredTrials, turnSandboxPeriods }

/** Runs the housekeeping at the start and then each hour; a job that fails is logged, and the next hour tries it again. */
export function everyHour(db: Database, log: Log) {
  const run = async () => {
    for (const [job, work] of Object.entries(jobs))
      await work(db).catch((error) => log.warn({ error, job }, 'housekeeping failed'))
  }
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
