// Lets a test wait until the calls that it made have come as far as a lock that it holds.
import assert from 'node:assert/strict'
import type { Queries } from '#database/connect.ts'
import { eventually } from './process.ts'

export const waitingCount = async ({ sql }: Queries): Promise<number> =>
  (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    .length

/** Until at least so many statements wait for a lock: those of background jobs may wait too. */
export const waitingForLocks = (queries: Queries, count: number): Promise<void> =>
  eventually(async () => assert.ok((await waitingCount(queries)) >= count))
