import type { Database } from '#database/connect.ts'
import { followEvents } from '#inbox/following-events.ts'
import { remind } from '#inbox/reminding.ts'

/** Fills the inboxes from the history of the projects; what is older than two days has been read. */
export async function seedInboxes(db: Database): Promise<void> {
  const { sql } = db
  const projects = await sql<{ id: number }[]>`select id from projects order by id`
  let waiting = projects.map(({ id }) => id)
  while (waiting.length > 0) waiting = (await followEvents(db, waiting)).unfinished
  await remind(db, { tell: () => {} })
  const ids = projects.map(({ id }) => id)
  await sql`
    update inbox_items set read_at = occurred_at + interval '1 hour'
    where project_id = any(${ids}::bigint[]) and occurred_at < now() - interval '2 days'`
}
