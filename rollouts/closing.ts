import type { Queries } from '#database/connect.ts'
import type { RolloutStatus } from './rollout.ts'

/** Ends a rollout that has no batch left, or that was canceled and has none at work, and returns its status. */
export async function closeRollout({ sql }: Queries, rolloutId: number): Promise<RolloutStatus> {
  await sql`
    with done as (
      update rollouts set status = 'done', finished_at = now() where id = ${rolloutId} and status = 'running'
      and not exists (select from rollout_batches where rollout_id = ${rolloutId} and done_at is null) returning kind, card_id, revision
    )
    update master_cards c set rolled_out_revision = greatest(rolled_out_revision, done.revision)
    from done where c.id = done.card_id and done.kind = 'card'`
  // Who closes waits for others who do: a batch that only they hold would look as if it were at work.
  await sql`
    with rollout as materialized (
      select id from rollouts where id = ${rolloutId} and status = 'canceling' for update
    ), free as materialized (
      select from rollout join rollout_batches b on b.rollout_id = rollout.id and b.done_at is null for update of b skip locked
    )
    update rollouts set status = 'canceled', finished_at = now() where id = ${rolloutId} and status = 'canceling'
      and (select count(*) from free) = (select count(*) from rollout_batches where rollout_id = ${rolloutId} and done_at is null)`
  const [rollout] = await sql<
    { status: RolloutStatus }[]
  >`select status from rollouts where id = ${rolloutId}`
  return rollout?.status as RolloutStatus
}
