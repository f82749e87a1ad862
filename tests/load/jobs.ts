import assert from 'node:assert/strict'
import type { Queries } from '#database/connect.ts'
import { eventually } from '../running.ts'

/** Asserts that a job of every 30 seconds is not due later than that. */
export const assertJobsOnTime = (queries: Queries): Promise<void> =>
  eventually(async () => assert.ok((await dueInSeconds(queries)) <= 30, 'the job waits too long'))

/** Asserts that jobs are done: one that is due now is due again in 30 seconds. */
export async function assertJobsRun(queries: Queries): Promise<void> {
  await queries.sql`update jobs set run_at = now() where kind = 'checkWebsites'`
  // A job that was cut off is free after ten seconds.
  await eventually(async () => assert.ok((await dueInSeconds(queries)) > 0, 'the job is not done'), 20_000)
}

async function dueInSeconds({ sql }: Queries): Promise<number> {
  const [job] = await sql<{ seconds: number }[]>`
    select extract(epoch from run_at - now())::float as seconds from jobs where kind = 'checkWebsites'`
  return (job as { seconds: number }).seconds
}
