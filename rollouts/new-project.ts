import { findLacking } from '#boards/rollout.ts'
import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { apply } from './apply.ts'
import { forgetRefusals } from './refusal.ts'
import { keptIn, summaryOf } from './summary.ts'

/**
 * Gives a project the newest versions of the active templates it has access to, when it is created and when it gains a tool. A
 * template without a version is a draft, which no project receives; an archived project receives them with the next rollout after it is back. The boards are locked until the commit, so that a rollout of a
 * newer version finds the project; the project is locked against running rollouts.
 */
export async function receiveMasters(
  queries: Queries,
  projectId: number,
  quotas = usualQuotas,
): Promise<void> {
  const changing = await changesOfMany(queries, [projectId])
  const locked = await queries.sql<{ id: number }[]>`
    select m.id from projects p join master_boards m on m.platform_id = p.platform_id
    where p.id = ${projectId} and p.kind = 'customer' and p.archived_at is null and m.deleted_at is null and m.is_active
      and (m.tool_key is null or p.tool_keys ? m.tool_key)
    order by m.rank for share of m`
  // Read after the lock, because a version may have been published while it waited.
  const boards = await queries.sql<{ id: number; revision: number; number: number }[]>`
    select m.id, v.revision, v.number from master_boards m
    join lateral (select revision, number from template_versions where board_id = m.id order by number desc limit 1) v on true
    where m.id = any(${locked.map(({ id }) => id)}::bigint[]) order by m.rank`
  // Cards of an inactive template may have been rolled out while the project had no access.
  const inactive = await queries.sql<{ id: number }[]>`
    select b.id from boards b join master_boards m on m.id = b.master_board_id
    where b.project_id = ${projectId} and b.deleted_at is null and not m.is_active`
  await findLacking(queries, projectId, { boardIds: inactive.map(({ id }) => id) })
  for (const { id, revision, number } of boards) {
    const { changes, onlyKept } = await apply(
      queries,
      { boardId: id, cardId: null, revision, rolloutId: null },
      [projectId],
      { quotas },
    )
    await forgetRefusals(queries, id, [projectId])
    const about = { rollout_kind: 'board' as const, version: number }
    await recordEvents(changing, [
      ...changes.map((change) => ({
        ...{ projectId, boardId: change.board_id, actorId: null, kind: 'template.rolled_out' as const },
        data: { ...about, ...summaryOf(change) },
      })),
      // A project that had the product before may have customized cards.
      ...keptIn(onlyKept).map(({ said, ...board }) => ({
        ...{ ...board, actorId: null, kind: 'template.kept' as const },
        data: { rollout_id: null, ...about, ...said },
      })),
    ])
  }
}
