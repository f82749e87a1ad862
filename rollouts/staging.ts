// Goes from one stage of a rollout to the next: by the time, or by hand.
import type { Database, Queries } from '#database/connect.ts'
import { type RolloutStatus, type Stopped, stopOf } from './rollout.ts'
import { deletePlannedCard, lockTemplateOfDeletion } from './starting.ts'
import { pauseIfUndone } from './undone.ts'

const openBatches = 'select from rollout_batches b where b.rollout_id = p.id and b.done_at is null'

/** Lets a running rollout whose stage is done wait for the next one; true if it does. After a stage without projects there is nothing to wait for. */
export async function waitForStage({ sql }: Pick<Queries, 'sql'>, rolloutId: number): Promise<boolean> {
  const waits = await sql.unsafe(
    `update rollouts p set status = 'waiting',
       next_stage_at = case when stage > 0 and not exists (
           select from rollout_batches b where b.rollout_id = p.id and b.stage = p.stage and b.planned is not null) then now()
         else coalesce(next_stage_at, now() + make_interval(mins => (stages -> greatest(stage - 1, 0) ->> 'wait_minutes')::integer)) end
     where id = $1 and status = 'running' and exists (${openBatches}) and not exists (${openBatches} and b.stage <= p.stage) returning id`,
    [rolloutId],
  )
  return waits.length > 0
}

/** Begins the next stage of the rollout $1 if it waits for one and the condition holds. */
const beginStage = (condition: string) => `
  update rollouts p set status = 'running', started_at = coalesce(started_at, now()), next_stage_at = null, worked_at = now(), stage = greatest(stage, (
    select min(b.stage) from rollout_batches b where b.rollout_id = p.id and b.done_at is null))
  where p.id = $1 and p.status = 'waiting' and ${condition} returning p.id, p.started_at = now() as is_first`

/** With its first stage a deletion takes the card from the template. */
async function begin(queries: Queries, condition: string, values: [number, ...(number | null)[]]) {
  const [begun] = await queries.sql.unsafe<{ id: number; is_first: boolean }[]>(beginStage(condition), values)
  if (begun?.is_first) await deletePlannedCard(queries, begun.id)
  return begun !== undefined
}

const isDue = 'p.next_stage_at <= now()'

/** Begins the next stage of a waiting rollout if its time has come. Without an active template, or undone too often, it is paused instead. */
export function beginDueStage(db: Database, rolloutId: number): Promise<'running' | 'waiting' | 'paused'> {
  return db.transaction(async (queries) => {
    await lockTemplateOfDeletion(queries, rolloutId)
    const paused = await queries.sql.unsafe(
      `update rollouts p set status = 'paused', pause_reason = 'template' from master_boards m
       where p.id = $1 and p.status = 'waiting' and ${isDue} and m.id = p.board_id and ${stopOf} is not null returning p.id`,
      [rolloutId],
    )
    if (paused.length > 0 || (await pauseIfUndone(queries, rolloutId))) return 'paused'
    return (await begin(queries, isDue, [rolloutId])) ? 'running' : 'waiting'
  })
}

/**
 * Begins the next stage of a waiting rollout at once, or pauses it if it was undone too often. `after` is the last stage that has begun as far as the caller knows: two people who
 * start the same stage must not start two.
 */
export function beginNextStage(
  db: Database,
  rolloutId: number,
  after: number | null,
): Promise<'begun' | 'not waiting' | 'another stage' | 'undone' | Stopped> {
  return db.transaction(async (queries) => {
    await lockTemplateOfDeletion(queries, rolloutId)
    const [waiting] = await queries.sql.unsafe<
      { stage: number; status: RolloutStatus; stop: Stopped | null }[]
    >(
      `select p.stage, p.status, ${stopOf} as stop from rollouts p join master_boards m on m.id = p.board_id
       where p.id = $1 and p.status in ('running', 'waiting')`,
      [rolloutId],
    )
    if (waiting?.stop) return waiting.stop
    if (waiting && after !== null && waiting.stage !== after) return 'another stage'
    if (waiting?.status === 'waiting' && (await pauseIfUndone(queries, rolloutId))) return 'undone'
    const isBegun = await begin(queries, 'p.stage = coalesce($2::integer, p.stage)', [rolloutId, after])
    return isBegun ? 'begun' : 'not waiting'
  })
}
