// The rollout of a newer version two months ago: all projects of that time received it, except for one, for people to see what a failure looks like.
import type { Database, Queries, Transaction } from '#database/connect.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { rollOut } from './rolling-out.ts'

interface Rolled {
  boardId: number
  version: number
  /** Those who receive it, and the one whose boards leave no room for it. */
  reachedIds: readonly number[]
  fullId: number
  actorId: number
  daysAgo: number
}

/** The refusal is a real one: the project has as many boards as a project can have. */
export async function seedFinishedRollout(
  db: Database,
  queries: Transaction,
  { boardId, version, reachedIds, fullId, actorId, daysAgo }: Rolled,
): Promise<number> {
  const { sql } = queries
  await sql`
    insert into boards (project_id, title)
    select ${fullId}, 'Campaign ' || lpad(number::text, 3, '0')
    from generate_series(1, ${usualQuotas.boardsPerProject}) number`
  const projectIds = [...reachedIds, fullId]
  const course = { stages: null, startsAt: null, stopAfterFailures: null, stopAfterUndone: null }
  const wanted = { boardId, version, cardId: null, projectIds, resetFields: null, course, actorId }
  const { id } = await rollOut(db, queries, wanted)
  await dateRollout(queries, { id, projectIds, daysAgo })
  await sql`update rollouts set is_partial = false where id = ${id}`
  return id
}

/** As if it had been rolled out then. */
export const dateRollout = (
  { sql }: Queries,
  { id, projectIds, daysAgo }: { id: number; projectIds: number[]; daysAgo: number },
) => sql`
  with at as (select now() - ${daysAgo}::float8 * interval '1 day' as at), dated as (
    update events e set created_at = at from at where e.project_id = any(${projectIds}::bigint[]) and e.data->>'rollout_id' = ${String(id)}
  )
  update rollouts set created_at = at - interval '10 minutes', planned_at = at - interval '9 minutes', started_at = at, worked_at = at,
    finished_at = case when status = 'done' then at + interval '4 seconds' end
  from at where id = ${id}`

/** Cards that people worked on since keep that time, and so do done cards: the rollout did not do them. */
export const dateCards = ({ sql }: Queries, projectIds: number[], rolloutId: number) => sql`
  update cards c set created_at = case when c.previous_revision is null then p.started_at else c.created_at end, updated_at = (
    select case when c.status = 'closed' then coalesce(max(e.created_at), p.started_at) else greatest(p.started_at, max(e.created_at)) end
    from events e where e.project_id = any(${projectIds}::bigint[]) and e.project_id = c.project_id and e.card_id = c.id)
  from rollouts p where p.id = ${rolloutId} and c.project_id = any(${projectIds}::bigint[]) and c.received_with = p.id`
