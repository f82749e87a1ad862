import type { Database, Queries } from '#database/connect.ts'
import { type RolloutStatus, totalsOf } from './rollout.ts'
import { beginDueStage, waitForStage } from './staging.ts'

/** Ends a rollout that has no batch left, or that was canceled and has none at work, and returns its status; a discarded plan has none. */
export async function closeRollout(db: Database, rolloutId: number): Promise<RolloutStatus | undefined> {
  const { sql } = db
  await sql`
    with done as (
      update rollouts set status = 'done', pause_reason = null, finished_at = now()
      where id = ${rolloutId} and status in ('running', 'paused')
        and not exists (select from rollout_batches where rollout_id = ${rolloutId} and done_at is null)
      returning kind, board_id, card_id, revision, is_partial, created_at
    )
    update master_cards c set rolled_out_revision = greatest(rolled_out_revision, done.revision)
    from done where c.id = done.card_id and done.kind = 'card' and not done.is_partial and not exists (
      select from rollouts revert where revert.board_id = done.board_id and revert.kind = 'revert'
        and revert.status not in ('planning', 'planned') and coalesce(revert.finished_at, 'infinity') > done.created_at)`
  // Instances that close it do so one after the other: a batch that another one has locked here would look as if it were at work.
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
  if (rollout?.status === 'done' || rollout?.status === 'canceled') {
    await forgetRolledOut({ sql }, rolloutId)
    await sql.unsafe(
      `update rollouts p set totals = ${totalsOf} where id = $1 and finished_at is not null and totals is null`,
      [rolloutId],
    )
  }
  if (rollout?.status === 'planning') return closePlan({ sql }, rolloutId)
  if (!rollout?.is_staged) return rollout?.status
  const isWaiting = rollout.status === 'waiting' || (await waitForStage({ sql }, rolloutId))
  return isWaiting ? beginDueStage(db, rolloutId) : rollout.status
}

/**
 * After a revert the projects may have an older revision of its cards than a rollout of one of them brought to all. When it begins and
 * again when it ends, because such a rollout may end at the moment at which it begins.
 */
export const forgetRolledOut = ({ sql }: Pick<Queries, 'sql'>, rolloutId: number) => sql`
  update master_cards c set rolled_out_revision = 0 from rollouts p
  where p.id = ${rolloutId} and p.kind = 'revert' and c.board_id = p.board_id and c.id = coalesce(p.card_id, c.id)
    and c.rolled_out_revision > 0`

const sumOf = (name: string) => `coalesce(sum((planned_counts ->> '${name}')::bigint), 0)`
const counted = [
  'changed',
  'failed',
  'added',
  'updated',
  'moved',
  'removed',
  'in_use',
  'kept',
  'used',
  'overtaken',
  'skipped',
]

/** Of the last batches of the platform of `p`, for a project that changes. */
const millisecondsOfProject = `(
  select sum(milliseconds)::real / nullif(sum(changed), 0) from (
    select b.milliseconds, b.changed
    from rollouts last join rollout_batches b on b.rollout_id = last.id and b.milliseconds is not null and b.changed > 0
    where last.platform_id = p.platform_id order by last.id desc limit 50
  ) measured)`

/** The sums of all batches. Batches that were done when they were listed have projects that receive nothing. */
const planOf = `(
  select jsonb_build_object('counts', to_jsonb(counts) - 'projects' || jsonb_build_object(
      'unchanged', projects - changed - failed - opted_out - no_access,
      'expected_seconds', ceil(changed * ${millisecondsOfProject} / 1000)),
    'things', (
      select coalesce(jsonb_agg(sums), '[]') from (
        select thing, id, change, base, next, fields, kept, is_moved, reason, uses, sum(count) as count,
          jsonb_path_query_array(jsonb_agg(samples order by rollout_batches.number), '$[0 to 2][*]') as samples
        from rollout_batches, jsonb_to_recordset(planned_things) as counted (thing text, id bigint, change text, base integer, next integer,
          fields jsonb, kept jsonb, is_moved boolean, reason text, uses jsonb, count bigint, samples jsonb)
        where rollout_id = p.id group by thing, id, change, base, next, fields, kept, is_moved, reason, uses
      ) sums))
  from (
    select sum(rollout_batches.projects) as projects, ${counted.map((name) => `${sumOf(name)} as ${name}`).join(', ')},
      ${sumOf('opted_out')} + coalesce(sum(rollout_batches.opted_out), 0) as opted_out,
      ${sumOf('no_access')} + coalesce(sum(rollout_batches.no_access), 0) as no_access
    from rollout_batches where rollout_id = p.id
  ) counts)`

/**
 * Ends the planning of the rollout $1 when every batch has been planned, and deals its projects out to the stages. A share is of the projects that
 * change, with those of the stages before it; projects that do not change are in the last stage that has a share, so that they fill no other.
 */
const closeStatement = `
  with closed as (
    update rollouts p set status = 'planned', planned_at = now(), plan = ${planOf}
    where id = $1 and status = 'planning'
      and not exists (select from rollout_batches where rollout_id = $1 and done_at is null and planned is null) returning id, stages
  ), batches as (
    delete from rollout_batches b using closed where b.rollout_id = closed.id and closed.stages is not null and b.done_at is null
    returning b.stage, b.planned, b.projects as size
  ), wanted as (
    select number, coalesce((stage ->> 'percent')::integer, 100) as percent, stage ->> 'projects' is null and stage ->> 'audience_name' is null as is_share
    from closed, jsonb_array_elements(closed.stages) with ordinality asked (stage, number)
  ), projects as materialized (
    select key::bigint as id, value as planned, value ->> 'outcome' = 'changed' as is_changed,
      case when not wanted.is_share then batches.stage end as named_stage
    from batches join wanted on wanted.number = batches.stage cross join jsonb_each(batches.planned)
  ), shares as materialized (
    select number, ceil((select count(*) from projects where is_changed) * percent::numeric / max(percent) over ())
      - (select count(*) from projects where is_changed and named_stage < wanted.number) as reach
    from wanted where is_share
  ), staged as (
    select id, planned, is_changed, coalesce(named_stage,
      case when is_changed then (select min(number) from shares where reach >= place) end, (select max(number) from shares)) as stage
    from (select *, row_number() over (partition by named_stage is null, is_changed order by hashint8(id), id) as place from projects) placed
  ), dealt as (
    insert into rollout_batches (rollout_id, number, stage, project_ids, planned, planned_counts)
    select $1, (select max(number) from rollout_batches where rollout_id = $1) + row_number() over (order by stage, min(id)), stage,
      array_agg(id order by id), jsonb_object_agg(id, planned), jsonb_build_object('changed', count(*) filter (where is_changed))
    from (
      select *, (row_number() over (partition by stage order by id) - 1) / (select max(size) from batches) as part from staged
    ) parts group by stage, part
  )
  select id from closed`

async function closePlan({ sql }: Pick<Queries, 'sql'>, rolloutId: number): Promise<RolloutStatus> {
  const planned = await sql.unsafe(closeStatement, [rolloutId])
  return planned.length > 0 ? 'planned' : 'planning'
}
