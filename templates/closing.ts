import type { Queries } from '#database/connect.ts'
import type { PushStatus } from './push.ts'

/** Ends a rollout that has no batch left, or that was canceled and has none at work, and returns its status. */
export async function closePush({ sql }: Queries, pushId: number): Promise<PushStatus> {
  await sql`
    with done as (
      update pushes set status = 'done', finished_at = now() where id = ${pushId} and status = 'running'
      and not exists (select from push_batches where push_id = ${pushId} and done_at is null) returning kind, card_id, version
    )
    update master_cards c set rolled_out_revision = greatest(rolled_out_revision, (
      select max(revision) from master_card_revisions r where r.card_id = c.id and r.revision <= done.version))
    from done where c.id = done.card_id and done.kind = 'card'`
  // Who closes waits for others who do: a batch that only they hold would look as if it were at work.
  await sql`
    with push as materialized (
      select id from pushes where id = ${pushId} and status = 'canceling' for update
    ), free as materialized (
      select from push join push_batches b on b.push_id = push.id and b.done_at is null for update of b skip locked
    )
    update pushes set status = 'canceled', finished_at = now() where id = ${pushId} and status = 'canceling'
      and (select count(*) from free) = (select count(*) from push_batches where push_id = ${pushId} and done_at is null)`
  const [push] = await sql<{ status: PushStatus }[]>`select status from pushes where id = ${pushId}`
  return push?.status as PushStatus
}
