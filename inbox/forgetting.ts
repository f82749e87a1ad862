import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'

/** Deletes read items after 30 days and all others after half a year; run every hour by the job queue. */
export async function forgetItems(db: Database): Promise<void> {
  await inAllProjects(
    db,
    (ids) => db.sql<{ id: number }[]>`
      delete from inbox_items where project_id = any(${ids}::bigint[])
        and (read_at < now() - interval '30 days' or occurred_at < now() - interval '180 days') returning id`,
  )
}
