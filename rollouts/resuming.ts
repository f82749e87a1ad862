import type { Database } from '#database/connect.ts'
import { hasEnded } from './applying.ts'
import { type RolloutStatus, type Stopped, stopOf, takesBack } from './rollout.ts'

/** Reopens a rollout for the projects that failed or were left out by a cancellation. */
export function reopenRollout(
  db: Database,
  rolloutId: number,
): Promise<
  | 'reopened'
  | 'missing'
  | 'not begun'
  | 'running'
  | 'canceling'
  | 'complete'
  | 'reverted'
  | 'not ended'
  | Stopped
> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const [rollout] = await sql<{ status: RolloutStatus; stop: Stopped | null; reverts_id: number | null }[]>`
      select p.status, p.reverts_id, ${sql.unsafe(stopOf)} as stop from rollouts p join master_boards m on m.id = p.board_id
      where p.id = ${rolloutId} for update of p`
    if (!rollout) return 'missing'
    if (rollout.status === 'planning' || rollout.status === 'planned') return 'not begun'
    if (rollout.status === 'canceling') return rollout.status
    if (rollout.status !== 'done' && rollout.status !== 'canceled') return 'running'
    if (rollout.stop !== null) return rollout.stop
    const [revert] = await sql`
      select from rollouts revert where reverts_id = ${rolloutId} and ${sql.unsafe(takesBack)} limit 1`
    if (revert) return 'reverted'
    if (rollout.reverts_id !== null && !(await hasEnded(queries, rollout.reverts_id))) return 'not ended'
    const [open] = await sql<{ is_open: boolean }[]>`
      with failed as (
        update rollout_batches b set failures = '{}',
          project_ids = array(select id from unnest(project_ids) id where not failures ? id::text order by id),
          planned = b.planned - array(select jsonb_object_keys(failures))
        from (
          select rollout_id, number, failures as before, (
            select jsonb_object_agg(key, planned -> key) from jsonb_object_keys(failures) key where planned is not null) as planned_before
          from rollout_batches where rollout_id = ${rolloutId}
        ) old
        where b.rollout_id = old.rollout_id and b.number = old.number and b.failures <> '{}'
        returning array(select key::bigint from jsonb_object_keys(before) key) as ids, planned_before as planned, b.stage
      ), again as (
        insert into rollout_batches (rollout_id, number, project_ids, planned, stage)
        select ${rolloutId}, (select max(number) from rollout_batches where rollout_id = ${rolloutId}) + row_number() over (), ids, planned, stage
        from failed
        returning 1
      )
      select exists (select from again)
        or exists (select from rollout_batches where rollout_id = ${rolloutId} and done_at is null) as is_open`
    if (!open?.is_open) return 'complete'
    // One that was canceled before its first stage begins at its time, or now if that has passed.
    await sql`
      update rollouts set finished_at = null, totals = null, failures_before = 0, worked_at = now(),
        status = case when stage = 0 then 'waiting' else 'running' end::rollout_status,
        next_stage_at = case when stage = 0 then greatest(starts_at, now()) else next_stage_at end
      where id = ${rolloutId}`
    return 'reopened'
  })
}
