// What becomes of a plan: it is applied or discarded. Called by admin/rollouts/apply and discard.
import type { Database, Queries } from '#database/connect.ts'
import { forgetRolledOut } from './closing.ts'
import { isExpired, type RolloutStatus, type Stopped, stopOf } from './rollout.ts'
import { deletePlannedCard, lockTemplateOfDeletion } from './starting.ts'

/** Begins the rollout that was planned, or lets it wait for its start. */
export function applyPlan(
  db: Database,
  rolloutId: number,
  actorId: number,
): Promise<'begun' | 'missing' | 'planning' | 'not a plan' | 'expired' | 'not ended' | Stopped> {
  return db.transaction(async (queries) => {
    await lockTemplateOfDeletion(queries, rolloutId)
    const plan = await lockPlan(queries, rolloutId)
    if (!plan) return 'missing'
    if (plan.status === 'planning') return 'planning'
    if (plan.status !== 'planned') return 'not a plan'
    if (plan.is_expired) return 'expired'
    if (plan.stop !== null) return plan.stop
    if (plan.reverts_id !== null && !(await hasEnded(queries, plan.reverts_id))) return 'not ended'
    const [applied] = await queries.sql<{ stage: number }[]>`
      update rollouts set created_by = ${actorId}, status = case when starts_at > now() then 'waiting' else 'running' end::rollout_status, worked_at = now(),
        stage = case when starts_at > now() then 0 else 1 end, started_at = case when starts_at > now() then null else now() end, next_stage_at = case when starts_at > now() then starts_at end
      where id = ${rolloutId} returning stage`
    if (applied?.stage === 1) await deletePlannedCard(queries, rolloutId)
    await forgetRolledOut(queries, rolloutId)
    return 'begun'
  })
}

/** Deletes a plan that was not applied; nothing has come of it. */
export function discardPlan(
  db: Database,
  rolloutId: number,
): Promise<'discarded' | 'missing' | 'not a plan'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // Before the rollout, as a batch that is being planned does it, so that the two cannot deadlock.
    await sql`
      select from rollout_batches b where rollout_id = ${rolloutId} and exists (
        select from rollouts p where p.id = ${rolloutId} and p.status in ('planning', 'planned'))
      order by number for update of b`
    const plan = await lockPlan(queries, rolloutId)
    if (!plan) return 'missing'
    if (plan.status !== 'planning' && plan.status !== 'planned') return 'not a plan'
    await sql`delete from rollouts where id = ${rolloutId}`
    return 'discarded'
  })
}

interface LockedPlan {
  status: RolloutStatus
  is_expired: boolean
  stop: Stopped | null
  reverts_id: number | null
}

async function lockPlan(queries: Queries, rolloutId: number): Promise<LockedPlan | undefined> {
  const { sql } = queries
  const [plan] = await sql<LockedPlan[]>`
    select p.status, ${sql.unsafe(isExpired)} as is_expired, ${sql.unsafe(stopOf)} as stop, p.reverts_id
    from rollouts p join master_boards m on m.id = p.board_id where p.id = ${rolloutId} for update of p`
  return plan
}

/** Whether the rollout that a revert is of has ended; locked, so that it is not resumed meanwhile. */
export async function hasEnded({ sql }: Queries, rolloutId: number): Promise<boolean> {
  const [reverted] = await sql<{ is_ended: boolean }[]>`
    select finished_at is not null as is_ended from rollouts where id = ${rolloutId} for share`
  return reverted?.is_ended === true
}
