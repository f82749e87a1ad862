// Deletes what a project held that was deleted more than 30 days ago; jobs/housekeeping.ts runs it every hour.
import type { Database, Queries } from '#database/connect.ts'
import type { Log } from '../../log.ts'

/** In an order in which nothing refers to what is gone. Subscriptions, payments and themes stay: they are needed for the books, and by other projects.
 * So do the project's version and how far the inbox has read, because the followers of events would add them again. */
const tables = [
  'presences',
  'comment_reads',
  'mentions',
  'card_follows',
  'inbox_items',
  'collapsed_groups',
  'events',
  // Replies come after what they reply to, so their ids are larger.
  'comments',
  'cards',
  'group_sizes',
  'groups',
  'saved_views',
  'board_sizes',
  'boards',
  'tags',
  'invitations',
  'removed_members',
  'rollout_refusals',
  'project_labels',
  // These have been out of all sums since the project was deleted.
  'project_template_states',
  'theme_choices',
  'theme_campaign_projects',
  'memberships',
] as const

/** Small enough that a step stays well below the statement timeout. */
const rowsInStep = 1_000

interface Task {
  log: Log
  signal: AbortSignal
}

export async function purgeProjects(db: Database, { log, signal }: Task): Promise<void> {
  for (;;) {
    const [next] = await db.sql<{ id: number }[]>`
      select id from projects where deleted_at < kept_since() and purged_at is null and kind = 'customer' order by deleted_at limit 1`
    if (!next) return
    for (const table of tables) while (await deleteSome(db, next.id, table)) signal.throwIfAborted()
    // The figures go with the name, because until then they would be counted again.
    await db.sql`
      with purged as (
        update projects set name = '', website_url = null, purged_at = now()
        where id = ${next.id} and deleted_at < kept_since() and purged_at is null returning id
      ), unnamed as (
        update subscription_figures set name_key = '' where project_id in (select id from purged))
      delete from project_figures where project_id in (select id from purged)`
    log.info({ project: next.id }, 'a deleted project was purged')
  }
}

/** One step, in a transaction of its own; false if nothing is left. Each asks again whether the project is still deleted. */
function deleteSome(db: Database, projectId: number, table: (typeof tables)[number]): Promise<boolean> {
  return db.transaction(async (queries) => {
    if (!(await isDue(queries, projectId))) return false
    const { sql } = queries
    const order = table === 'comments' ? sql`order by id desc` : sql``
    const { count } = await sql`
      delete from ${sql(table)} where project_id = ${projectId} and ctid = any(array(
        select ctid from ${sql(table)} where project_id = ${projectId} ${order} limit ${rowsInStep}))`
    return count === rowsInStep
  })
}

async function isDue({ sql }: Queries, projectId: number): Promise<boolean> {
  const due = await sql`
    select from projects where id = ${projectId} and deleted_at < kept_since() and purged_at is null for no key update`
  return due.length > 0
}
