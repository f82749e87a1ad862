import type { Queries } from '#database/connect.ts'
import { batchesAtOnce } from './batch.ts'
import type { RolloutStatus } from './rollout.ts'
import { beginStage, waitForStage } from './staging.ts'

/** Ends a rollout that has no batch left, or that was canceled and has none at work, and returns its status; a discarded plan has none. */
export async function closeRollout({ sql }: Queries, rolloutId: number): Promise<RolloutStatus | undefined> {
  await sql`
    with done as (
      update rollouts set status = 'done', finished_at = now() where id = ${rolloutId} and status = 'running'
      and not exists (select from rollout_batches where rollout_id = ${rolloutId} and done_at is null)
      returning kind, card_id, revision, is_partial
    )
    update master_cards c set rolled_out_revision = greatest(rolled_out_revision, done.revision)
    from done where c.id = done.card_id and done.kind = 'card' and not done.is_partial`
  // Who closes waits for others who do: a batch that only they hold would look as if it were at work.
  await sql`
    with rollout as materialized (
      select id from rollouts where id = ${rolloutId} and status = 'canceling' for update
    ), free as materialized (
      select from rollout join rollout_batches b on b.rollout_id = rollout.id and b.done_at is null for update of b skip locked
    )
    update rollouts set status = 'canceled', finished_at = now() where id = ${rolloutId} and status = 'canceling'
      and (select count(*) from free) = (select count(*) from rollout_batches where rollout_id = ${rolloutId} and done_at is null)`
  const [rollout] = await sql<{ status: RolloutStatus; is_staged: boolean }[]>`
    select status, stages is not null or starts_at is not null as is_staged from rollouts where id = ${rolloutId}`
  if (rollout?.status === 'planning') return closePlan({ sql }, rolloutId)
  if (!rollout?.is_staged) return rollout?.status
  const isWaiting = rollout.status === 'waiting' || (await waitForStage({ sql }, rolloutId))
  if (!isWaiting) return rollout.status
  return (await beginStage({ sql }, rolloutId, { isAtOnce: false })) ? 'running' : 'waiting'
}

const sumOf = (name: string) => `coalesce(sum((planned_counts ->> '${name}')::bigint), 0)`
const counted = ['changed', 'added', 'updated', 'moved', 'kept', 'skipped']

/** Of the last rollouts of the platform of `p`, for a project that changes. */
const millisecondsOfProject = `(
  select sum(milliseconds)::real / nullif(sum(cardinality(changed_ids)), 0) from rollout_batches
  where milliseconds is not null and rollout_id in (
    select id from rollouts last where last.platform_id = p.platform_id and last.status = 'done' order by id desc limit 5))`

/** The sums of all batches. Batches that were done when they were listed have projects that receive nothing. */
const planOf = `(
  select jsonb_build_object('counts', to_jsonb(counts) - 'projects' || jsonb_build_object(
      'unchanged', projects - changed - opted_out - no_access,
      'expected_seconds', ceil(changed * ${millisecondsOfProject} / 1000 / ${batchesAtOnce})),
    'things', (
      select coalesce(jsonb_agg(sums), '[]') from (
        select thing, id, change, base, fields, kept, is_moved, sum(count) as count,
          jsonb_path_query_array(jsonb_agg(samples order by rollout_batches.number), '$[0 to 2][*]') as samples
        from rollout_batches, jsonb_to_recordset(planned_things) as counted (thing text, id bigint, change text, base integer, fields jsonb,
          kept jsonb, is_moved boolean, count bigint, samples jsonb)
        where rollout_id = p.id group by thing, id, change, base, fields, kept, is_moved
      ) sums))
  from (
    select sum(cardinality(project_ids)) as projects, ${counted.map((name) => `${sumOf(name)} as ${name}`).join(', ')},
      ${sumOf('opted_out')} + coalesce(sum(cardinality(opted_out_ids)), 0) as opted_out,
      ${sumOf('no_access')} + coalesce(sum(cardinality(no_access_ids)), 0) as no_access
    from rollout_batches where rollout_id = p.id
  ) counts)`

/** Ends the planning when every batch has been planned. */
async function closePlan({ sql }: Pick<Queries, 'sql'>, rolloutId: number): Promise<RolloutStatus> {
  const planned = await sql.unsafe(
    `update rollouts p set status = 'planned', planned_at = now(), plan = ${planOf}
     where id = $1 and status = 'planning'
       and not exists (select from rollout_batches where rollout_id = $1 and done_at is null and planned is null) returning id`,
    [rolloutId],
  )
  return planned.length > 0 ? 'planned' : 'planning'
}
