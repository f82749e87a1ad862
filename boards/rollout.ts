import { keepingCoverage } from '#coverage/counts.ts'
import type { Queries } from '#database/connect.ts'

/**
 * Called after a restore: the board may be behind its template or incomplete, so the next rollout compares all of it. The row is
 * written even if its revision is 0 already: its lock makes a rollout that runs at the same time wait, or be waited for.
 */
export async function compareAtNextRollout(
  queries: Queries,
  projectId: number,
  { boardId = null as number | null, groupIds = [] as number[], cardIds = [] as number[] },
): Promise<void> {
  const { sql } = queries
  await keepingCoverage(
    queries,
    { projectIds: [projectId], boardId: null },
    () => sql`
    update boards set synced_revision = 0 where project_id = ${projectId} and (
      id = ${boardId} or master_board_id in (
        select m.board_id from groups g join master_groups m on m.id = g.master_group_id
        where g.project_id = ${projectId} and g.id = any(${groupIds}::bigint[])
        union select m.board_id from cards c join master_cards m on m.id = c.master_card_id
        where c.project_id = ${projectId} and c.id = any(${cardIds}::bigint[]) and m.published_revision > c.master_revision
        union select m.board_id from cards c join master_cards m on m.id = c.master_card_id
        where c.project_id = ${projectId} and c.group_id = any(${groupIds}::bigint[])
          and c.deleted_at = c.withdrawn_at))`,
  )
}
