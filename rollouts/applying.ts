// What becomes of a plan: it is applied or discarded. Called by admin/rollouts/apply and discard.
import type { Database, Queries } from '#database/connect.ts'
import { isExpired, type RolloutKind, type RolloutStatus } from './rollout.ts'

/** Begins the rollout that was planned. */
export function applyPlan(
  db: Database,
  rolloutId: number,
): Promise<'begun' | 'missing' | 'planning' | 'not a plan' | 'expired' | 'inactive'> {
  return db.transaction(async (queries) => {
    const plan = await lockPlan(queries, rolloutId)
    if (!plan) return 'missing'
    if (plan.status === 'planning') return 'planning'
    if (plan.status !== 'planned') return 'not a plan'
    if (plan.is_expired) return 'expired'
    if (!plan.is_active && plan.kind !== 'revert') return 'inactive'
    await queries.sql`
      with begun as (
        update rollouts set status = case when starts_at > now() then 'waiting' else 'running' end::rollout_status, worked_at = now(),
          stage = case when starts_at > now() then 0 else 1 end, next_stage_at = case when starts_at > now() then starts_at end
        where id = ${rolloutId} returning kind, card_id
      )
      update master_cards c set
        withdrawn_revision = case when begun.kind = 'removal' and last.is_deleted then greatest(c.withdrawn_revision, last.revision) else c.withdrawn_revision end,
        rolled_out_revision = case when begun.kind = 'revert' then 0 else c.rolled_out_revision end
      from begun left join master_cards own on own.id = begun.card_id
        left join master_card_revisions last on last.card_id = own.id and last.revision = own.published_revision
      where c.id = begun.card_id and begun.kind in ('removal', 'revert')`
    return 'begun'
  })
}

/** Deletes a plan that was not applied; nothing has come of it. */
export function discardPlan(
  db: Database,
  rolloutId: number,
): Promise<'discarded' | 'missing' | 'not a plan'> {
  return db.transaction(async (queries) => {
    const plan = await lockPlan(queries, rolloutId)
    if (!plan) return 'missing'
    if (plan.status !== 'planning' && plan.status !== 'planned') return 'not a plan'
    await queries.sql`delete from rollouts where id = ${rolloutId}`
    return 'discarded'
  })
}

interface LockedPlan {
  kind: RolloutKind
  status: RolloutStatus
  is_expired: boolean
  /** Whether its template still exists and is active. */
  is_active: boolean
}

async function lockPlan(queries: Queries, rolloutId: number): Promise<LockedPlan | undefined> {
  const { sql } = queries
  const [plan] = await sql<LockedPlan[]>`
    select p.kind, p.status, ${sql.unsafe(isExpired)} as is_expired, m.is_active and m.deleted_at is null as is_active
    from rollouts p join master_boards m on m.id = p.board_id where p.id = ${rolloutId} for update of p`
  return plan
}
