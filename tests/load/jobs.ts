import assert from 'node:assert/strict'
import type { Queries } from '#database/connect.ts'
import { eventually } from '../running.ts'

/** Asserts that a job of every 30 seconds is not due later than that. */
export const assertJobsOnTime = (queries: Queries): Promise<void> =>
  eventually(async () => assert.ok((await dueInSeconds(queries)) <= 30, 'the job waits too long'))

/** Asserts that every job, such as sending mails, is done without a failure soon. */
export async function assertJobsRun({ sql }: Queries): Promise<void> {
  await sql`update jobs set run_at = now()`
  // A job that was cut off is free after ten seconds.
  await eventually(async () => {
    const undone = await sql<{ kind: string; error: string | null }[]>`
      select kind, error from jobs where run_at <= now() or attempts > 0`
    assert.deepEqual([...undone], [])
  }, 20_000)
}

async function dueInSeconds({ sql }: Queries): Promise<number> {
  const [job] = await sql<{ seconds: number }[]>`
    select extract(epoch from run_at - now())::float as seconds from jobs where kind = 'checkWebsites'`
  return (job as { seconds: number }).seconds
}
