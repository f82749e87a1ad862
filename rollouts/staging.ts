// Goes from one stage of a rollout to the next: by the time, or by hand.
import type { Queries } from '#database/connect.ts'

const openBatches = 'select from rollout_batches b where b.rollout_id = p.id and b.done_at is null'

/** Lets a running rollout whose stage is done wait for the next one; true if it does. */
export async function waitForStage({ sql }: Pick<Queries, 'sql'>, rolloutId: number): Promise<boolean> {
  const waits = await sql.unsafe(
    `update rollouts p set status = 'waiting',
       next_stage_at = coalesce(next_stage_at, now() + make_interval(mins => (stages -> greatest(stage - 1, 0) ->> 'wait_minutes')::integer))
     where id = $1 and status = 'running' and exists (${openBatches}) and not exists (${openBatches} and b.stage <= p.stage) returning id`,
    [rolloutId],
  )
  return waits.length > 0
}

/** Begins the next stage of a waiting rollout: if its time has come, or at once. True if it has begun. */
export async function beginStage(
  { sql }: Pick<Queries, 'sql'>,
  rolloutId: number,
  { isAtOnce }: { isAtOnce: boolean },
): Promise<boolean> {
  const begun = await sql`
    update rollouts p set status = 'running', next_stage_at = null, worked_at = now(), stage = greatest(stage, (
      select min(b.stage) from rollout_batches b where b.rollout_id = p.id and b.done_at is null))
    where id = ${rolloutId} and status = 'waiting' and (${isAtOnce} or next_stage_at <= now()) returning id`
  return begun.length > 0
}
