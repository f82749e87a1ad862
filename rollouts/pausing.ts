// Pauses a rollout between two batches, by hand or by itself, and lets it go on.
import type { Queries } from '#database/connect.ts'
import { type Stopped, stopOf } from './rollout.ts'

/**
 * Pauses a rollout that has begun; false if there is none. A batch ends by updating the same row (batch.ts), so nothing is changed in
 * projects once this has returned: batches at work are rolled back.
 */
export async function pauseRollout({ sql }: Queries, rolloutId: number): Promise<boolean> {
  const paused = await sql`
    update rollouts set status = 'paused', pause_reason = 'by_hand' where id = ${rolloutId} and status in ('running', 'waiting') returning id`
  return paused.length > 0
}

const failuresOf = ({ sql }: Pick<Queries, 'sql'>, rolloutId: number) => sql`(
  select sum(failed) from rollout_batches where rollout_id = ${rolloutId})`

/** Called in the transaction of a batch, which holds the row of the rollout: it is paused with the first failure that is too many. */
export async function pauseAfterFailures({ sql }: Queries, rolloutId: number): Promise<void> {
  await sql`
    update rollouts set status = 'paused', pause_reason = 'failures' where id = ${rolloutId}
      and stop_after_failures + failures_before <= ${failuresOf({ sql }, rolloutId)}`
}

/** Lets a paused rollout go on. What made it pause by itself is counted again from zero. */
export async function continueRollout(
  { sql }: Queries,
  rolloutId: number,
): Promise<'continued' | 'not paused' | Stopped> {
  const [paused] = await sql<{ stop: Stopped | null }[]>`
    select ${sql.unsafe(stopOf)} as stop from rollouts p join master_boards m on m.id = p.board_id
    where p.id = ${rolloutId} and p.status = 'paused'`
  if (paused?.stop) return paused.stop
  const continued = await sql`
    update rollouts set status = 'running', pause_reason = null, worked_at = now(),
      failures_before = case when pause_reason = 'failures' then ${failuresOf({ sql }, rolloutId)} else failures_before end,
      undone_after = case when pause_reason = 'undone' then now() else undone_after end
    where id = ${rolloutId} and status = 'paused' returning id`
  return continued.length > 0 ? 'continued' : 'not paused'
}
