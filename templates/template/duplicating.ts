// Creates templates from what exists: another template, or a project's board. The cards get no unique_identifier, because each
// identifier names one template card.
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { lockMasterBoard } from '../masters.ts'
import { fill } from './filling.ts'
import { readWholeTemplate, type WholeTemplate } from './template.ts'

/** Without a title the new template gets the one of the original. */
interface Wanted {
  title: string | null
}

/** Creates a template with the groups and cards of another; undefined if there is no such template. */
export function duplicateTemplate(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  { title }: Wanted,
): Promise<WholeTemplate | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // So that the original does not change between the statements.
    await lockMasterBoard(queries, id)
    const [made] = await sql<{ id: number; platform_id: number }[]>`
      insert into master_boards (platform_id, tool_key, title, description, icon, color, is_active, created_by)
      select platform_id, tool_key, coalesce(${title}, title), description, icon, color, is_active, ${actorId}
      from master_boards where id = ${id} and deleted_at is null returning id, platform_id`
    if (!made) return undefined
    const original = {
      groups: sql`
        select id, title, description, type, color, icon, is_collapsed, rank from master_groups
        where board_id = ${id} and deleted_at is null`,
      cards: sql`
        select group_id, title, description, short_description, null as unique_identifier, evaluation_check, needs_confirmation,
          tour_key,
          status, priority, is_active, rank
        from master_cards where board_id = ${id} and deleted_at is null`,
    }
    await fill(queries, quotas, { id: made.id, platformId: made.platform_id, actorId }, original)
    return readWholeTemplate(queries, made.id)
  })
}

/**
 * Creates a template with the groups and cards of a project's board; undefined if it has no such board. Assignees, dates and
 * statuses are the project's own and are not copied, nor are archived groups.
 */
export function createTemplateFromBoard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action & { projectId: number },
  { title }: Wanted,
): Promise<WholeTemplate | undefined> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // So that no group is added between the statements.
    await sql`select from boards where project_id = ${projectId} and id = ${id} for no key update`
    const [made] = await sql<{ id: number; platform_id: number }[]>`
      insert into master_boards (platform_id, tool_key, title, description, icon, color, created_by)
      select p.platform_id, b.tool_key, coalesce(${title}, b.title), b.description, b.icon, b.color, ${actorId}
      from boards b join projects p on p.id = b.project_id and p.deleted_at is null
      where b.project_id = ${projectId} and b.id = ${id} and b.deleted_at is null returning id, platform_id`
    if (!made) return undefined
    const original = {
      groups: sql`
        select id, title, description, type, color, icon, is_collapsed, rank from groups
        where project_id = ${projectId} and board_id = ${id} and deleted_at is null and is_active`,
      cards: sql`
        select group_id, title, description, short_description, null as unique_identifier, evaluation_check, needs_confirmation,
          tour_key,
          'open' as status, priority, true as is_active, rank
        from cards where project_id = ${projectId} and board_id = ${id} and deleted_at is null`,
    }
    await fill(queries, quotas, { id: made.id, platformId: made.platform_id, actorId }, original)
    return readWholeTemplate(queries, made.id)
  })
}
