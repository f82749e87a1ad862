import type { Database } from '#database/connect.ts'
import type { PushStatus } from './push.ts'

/** Reopens a rollout for the projects that failed or were left out by a cancellation. */
export function reopenPush(
  db: Database,
  pushId: number,
): Promise<'reopened' | 'missing' | 'running' | 'canceling' | 'complete'> {
  return db.transaction(async ({ sql }) => {
    const [push] = await sql<
      { status: PushStatus }[]
    >`select status from pushes where id = ${pushId} for update`
    if (!push) return 'missing'
    if (push.status === 'running' || push.status === 'canceling') return push.status
    const [open] = await sql<{ is_open: boolean }[]>`
      with failed as (
        update push_batches b set failures = '{}',
          project_ids = array(select id from unnest(project_ids) id where not failures ? id::text order by id)
        from (select push_id, number, failures as before from push_batches where push_id = ${pushId}) old
        where b.push_id = old.push_id and b.number = old.number and b.failures <> '{}'
        returning array(select key::bigint from jsonb_object_keys(before) key) as ids
      ), again as (
        insert into push_batches (push_id, number, project_ids)
        select ${pushId}, (select max(number) from push_batches where push_id = ${pushId}) + row_number() over (), ids from failed
        returning 1
      )
      select exists (select from again)
        or exists (select from push_batches where push_id = ${pushId} and done_at is null) as is_open`
    if (!open?.is_open) return 'complete'
    await sql`
      update pushes set status = 'running', finished_at = null, worked_at = now() where id = ${pushId}`
    return 'reopened'
  })
}
