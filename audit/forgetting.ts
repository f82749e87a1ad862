import type { Database } from '#database/connect.ts'

const atATime = 5_000

/** Deletes the entries that are older than the log is kept. */
export async function forgetAudit({ sql }: Database, days: number): Promise<void> {
  for (;;) {
    const { count } = await sql`
      delete from audit_entries where id in (
        select id from audit_entries where at < now() - make_interval(days => ${days}) order by at limit ${atATime})`
    if (count < atATime) return
  }
}
