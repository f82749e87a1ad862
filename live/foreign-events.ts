import type { Database } from '#database/connect.ts'

/**
 * Events that came with a dump from another PostgreSQL name transactions of that one; those that lie in this one's future would
 * be news for ever. No visible row can have been written by a transaction that has not begun, so they are told apart exactly.
 */
export async function adoptForeignEvents({ sql }: Database): Promise<void> {
  await sql`
    update events set xid = '1'
    from projects p, lateral (
      select xid from events newest where newest.project_id = p.id order by xid desc limit 1
    ) newest
    where newest.xid >= pg_snapshot_xmax(pg_current_snapshot())
      and events.project_id = p.id and events.xid >= pg_snapshot_xmax(pg_current_snapshot())`
}
