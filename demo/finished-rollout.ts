// A project of the fleet that could not receive a template, for people to see what a failed rollout looks like.
import { type Database, insideTransaction, type Transaction } from '#database/connect.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { workOnBatch } from '#rollouts/batch.ts'
import { closeRollout } from '#rollouts/closing.ts'

interface Rolled {
  boardId: number
  revision: number
  /** Those who received it, and the one whose boards leave no room for it. */
  reachedIds: readonly number[]
  fullId: number
  actorId: number
}

/** The rollout of the first version, two months ago. The refusal is a real one: the project has as many boards as a project can have. */
export async function seedFailedProject(
  db: Database,
  queries: Transaction,
  { boardId, revision, reachedIds, fullId, actorId }: Rolled,
): Promise<void> {
  const { sql } = queries
  await sql`
    insert into boards (project_id, title)
    select ${fullId}, 'Campaign ' || lpad(number::text, 3, '0')
    from generate_series(1, ${usualQuotas.boardsPerProject}) number`
  const [rollout] = await sql<{ id: number }[]>`
    insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by)
    select 'board', platform_id, id, ${revision}, title, title, ${actorId} from master_boards where id = ${boardId} returning id`
  const id = rollout?.id as number
  await sql`
    insert into rollout_batches (rollout_id, number, project_ids, changed_ids, done_at)
    values (${id}, 1, ${reachedIds as number[]}::bigint[], ${reachedIds as number[]}::bigint[], now()), (${id}, 2, ${[fullId]}::bigint[], '{}', null)`
  await workOnBatch(insideTransaction(db, queries), id)
  await closeRollout(queries, id)
  await sql`
    update rollouts set created_at = now() - interval '60 days', started_at = now() - interval '60 days', worked_at = now() - interval '60 days',
      finished_at = now() - interval '60 days' + interval '4 seconds'
    where id = ${id}`
}
