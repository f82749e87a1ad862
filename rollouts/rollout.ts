// The record of a rollout (`rollouts` and `rollout_batches`): its kinds, its statuses and its results so far.
// starting.ts, batch.ts, closing.ts, canceling.ts and resuming.ts write it.
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { newestFirst } from '#database/newest-first.ts'

const rolloutKinds = ['board', 'card', 'removal', 'revert', 'reset'] as const
/** A plan is a rollout that has not begun. */
const rolloutStatuses = [
  ...(['planning', 'planned', 'running', 'waiting', 'paused', 'canceling', 'done', 'canceled'] as const),
] as const
/** Why a rollout cannot begin or go on. */
export type Stopped = 'inactive template' | 'deleted template'
/** Whether the deletion `p` also deletes its card from the template. */
export const deletesCard = `coalesce((p.request ->> 'delete_from_projects')::boolean, false)`
/** Whether the newest version of the template lacks the card of the deletion `p`. */
export const isCardDeleted = `exists (
  select from master_cards c join master_card_revisions last on last.card_id = c.id and last.revision = c.published_revision
  where c.id = p.card_id and last.is_deleted)`
/** Why the rollout `p` of the template `m` cannot begin or go on; null if it can. A revert needs no template, and a deletion only until its card is deleted there. */
export const stopOf = `case
  when p.kind = 'revert' or (p.kind = 'removal' and (p.started_at is not null or not ${deletesCard} or ${isCardDeleted})) then null
  when m.deleted_at is not null then 'deleted template' when not m.is_active and p.kind <> 'removal' then 'inactive template' end`

/** For how long a plan can be applied. */
const planHours = 24
export const isExpired = `p.status = 'planned' and p.planned_at < now() - interval '${planHours} hours'`

export type RolloutKind = (typeof rolloutKinds)[number]
export type RolloutStatus = (typeof rolloutStatuses)[number]

const counts = record({
  projects: integer(),
  changed: integer(),
  unchanged: integer(),
  opted_out: integer(),
  no_access: integer(),
  failed: integer(),
  pending: integer(),
  differs: integer({
    about:
      'How many of these received something else than planned, because they or the template had changed since, or failed although the plan did not foresee that.',
  }),
})

/** Who or what paused a rollout. */
const pauseReasons = ['by_hand', 'failures', 'undone', 'template'] as const

const stage = record({
  number: integer(),
  projects: integer({ about: 'Projects that needed something when it was planned.' }),
  changed: nullable(integer({ about: 'How many of them the plan changes; null before it is made.' })),
  pending: integer(),
  failed: integer(),
  percent: nullable(integer()),
  audience_name: nullable(text({ about: 'The audience that it was planned for.' })),
  wait_minutes: nullable(integer()),
})

const planCounts = record({
  changed: integer(),
  unchanged: integer(),
  failed: integer({ about: 'How many projects would refuse it, because they have no room for it.' }),
  opted_out: integer(),
  no_access: integer(),
  added: integer({ about: 'How many cards would be added, in all projects together.' }),
  updated: integer(),
  moved: integer(),
  removed: integer({ about: 'How many cards would be deleted, by a deletion or by a revert.' }),
  in_use: nullable(
    integer({
      about:
        'How many of the cards that a deletion takes away are done, under way, customized or have comments; null for a plan from before this was counted.',
    }),
  ),
  kept: integer({ about: 'How many cards keep something.' }),
  used: integer({
    about: 'Of these, how many stay because they are in use: a revert does not delete what people work on.',
  }),
  overtaken: integer({
    about: 'Of these, how many a revert leaves because a later rollout has changed them.',
  }),
  skipped: integer({
    about:
      'How many cards are left out, because the project deleted them or their group, or takes no updates of them.',
  }),
  expected_seconds: nullable(integer({ about: 'Measured by earlier rollouts; null before the first one.' })),
})

/** A rollout as the API describes it. */
export const rollout = record({
  id: integer(),
  kind: oneOf(rolloutKinds),
  board_id: integer(),
  card_id: nullable(integer()),
  reverts_id: nullable(integer({ about: 'The rollout that it reverts.' })),
  reverted_by_id: nullable(
    integer({
      about:
        'The last revert of this rollout that has begun; not one that was canceled before it changed anything.',
    }),
  ),
  /** The title of the template or card when it was rolled out. */
  title: text(),
  /** The title of the template then. */
  template_title: text(),
  version: integer({ about: 'The number of the version that it brings to projects.' }),
  status: oneOf([...rolloutStatuses, 'expired'], {
    about:
      '`planning` and `planned`: nothing has been rolled out yet; `expired`: the plan can no longer be applied.',
  }),
  stage: integer({ about: 'The number of the last stage that has begun; 0 before the first.' }),
  stages: list(stage, { about: 'None if it reaches all projects at once.' }),
  starts_at: nullable(timestamp()),
  next_stage_at: nullable(timestamp({ about: 'When the next stage begins by itself.' })),
  pause_reason: nullable(
    oneOf(pauseReasons, {
      about:
        '`failures` and `undone`: too many; `template`: it was deactivated or deleted before the next stage.',
    }),
  ),
  stop_after_failures: nullable(integer()),
  stop_after_undone: nullable(integer()),
  is_partial: flag({ about: 'Whether it goes to chosen projects only.' }),
  counts,
  planned_count: integer({ about: 'In how many projects it is known what they would receive.' }),
  /** What the plan says; null while it is made, and for a rollout that was not planned. */
  plan: nullable(planCounts),
  planned_at: nullable(timestamp()),
  created_by: integer({ about: 'Who started it; of a plan, who planned it.' }),
  created_by_name: nullable(text()),
  created_at: timestamp(),
  started_at: nullable(timestamp({ about: 'When it began to change projects; null before that.' })),
  finished_at: nullable(timestamp()),
})

export type Rollout = (typeof rollout)['static']

/** True for a rollout that has not begun. */
export const isPlan = ({ status }: Pick<Rollout, 'status'>): boolean =>
  status === 'planning' || status === 'planned' || status === 'expired'

const sum = (value: string, condition: string) => `coalesce(sum(${value}) filter (where ${condition}), 0)`

/** `p` is the rollout. Every batch commits as a whole, so the finished batches are exactly what has happened. */
const countsOf = `(
  select jsonb_build_object('projects', listed, 'changed', changed, 'opted_out', opted_out, 'no_access', no_access,
    'failed', failed, 'pending', pending, 'differs', differs,
    'unchanged', listed - changed - opted_out - no_access - failed - pending)
  from (
    select ${sum('projects', 'true')} as listed, ${sum('changed', 'done_at is not null')} as changed,
      ${sum('opted_out_only', 'done_at is not null')} as opted_out, ${sum('no_access', 'done_at is not null')} as no_access,
      ${sum('failed', 'done_at is not null')} as failed, ${sum('projects', 'done_at is null')} as pending, ${sum('differs', 'true')} as differs
    from rollout_batches where rollout_id = p.id
  ) sums)`

/** Batches that were done when they were listed are in the first stage, and do not count. */
export const isStaged = '(planned is not null or done_at is null)'

/** `p` is the rollout. */
const stagesOf = `(
  select coalesce(jsonb_agg(jsonb_build_object('number', number, 'projects', projects, 'changed', changed, 'pending', pending, 'failed', failed,
    'percent', wanted -> 'percent', 'audience_name', wanted -> 'audience_name', 'wait_minutes', wanted -> 'wait_minutes') order by number), '[]')
  from jsonb_array_elements(p.stages) with ordinality asked (wanted, number), lateral (
    select ${sum('projects - no_access', isStaged)} as projects,
      case when p.planned_at is not null then coalesce(sum((planned_counts ->> 'changed')::bigint), 0)::bigint end as changed,
      ${sum('projects', 'done_at is null')} as pending, ${sum('failed', 'true')} as failed
    from rollout_batches where rollout_id = p.id and stage = asked.number
  ) sums)`

const plannedCountOf = `(
  select ${sum('projects', 'planned is not null')} from rollout_batches where rollout_id = p.id)`

/** What is read from the batches; kept for a rollout that has ended (closing.ts). */
export const totalsOf = `jsonb_build_object('stages', ${stagesOf}, 'counts', ${countsOf}, 'planned_count', ${plannedCountOf})`

/** Whether the rollout `revert` reverts another one: it has begun, and was not canceled before it changed anything. */
export const takesBack = `revert.status not in ('planning', 'planned') and (revert.status <> 'canceled' or exists (
  select from rollout_batches b where b.rollout_id = revert.id and b.changed > 0))`

/** How far a rollout was reverted. */
export const takenBack = record({
  changed: integer({ about: 'In how many projects its reverts have changed something.' }),
  left: integer({
    about:
      'How many of the projects that it changed have not been reverted, and will not be if the revert continues.',
  }),
})

/** Null if the rollout was not reverted. */
export async function readTakenBack(
  queries: Queries,
  { id, reverted_by_id }: Rollout,
): Promise<(typeof takenBack)['static'] | null> {
  if (reverted_by_id === null) return null
  const [found] = await queries.run<(typeof takenBack)['static']>(takenBackStatement, [id])
  return found ?? null
}

const takenBackStatement = `
  with reverts as materialized (
    select b.*, revert.finished_at from rollouts revert join rollout_batches b on b.rollout_id = revert.id where revert.reverts_id = $1 and ${takesBack}
  )
  select (select count(distinct id) from reverts, unnest(changed_ids) id) as changed, (
    select count(*) from (
      select unnest(changed_ids) from rollout_batches where rollout_id = $1
      except select id from reverts, unnest(project_ids) id
        where case when done_at is null then finished_at is null else not failures ? id::text end
    ) others) as left`

const rolloutColumns = `
  p.id, p.kind, p.board_id, p.card_id, p.reverts_id, (
    select max(revert.id) from rollouts revert where revert.reverts_id = p.id and ${takesBack}) as reverted_by_id, p.title, p.template_title, coalesce(v.number, 0) as version,
  case when ${isExpired} then 'expired' else p.status::text end as status, p.stage, coalesce(p.totals -> 'stages', ${stagesOf}) as stages, wire_time(p.starts_at) as starts_at,
  wire_time(p.next_stage_at) as next_stage_at, p.pause_reason, p.stop_after_failures, p.stop_after_undone, p.is_partial, coalesce(p.totals -> 'counts', ${countsOf}) as counts,
  coalesce((p.totals -> 'planned_count')::bigint, ${plannedCountOf}) as planned_count,
  '{"failed": 0, "removed": 0, "in_use": null, "used": 0, "overtaken": 0}'::jsonb || (p.plan -> 'counts') as plan, wire_time(p.planned_at) as planned_at,
  p.created_by, u.name as created_by_name, wire_time(p.created_at) as created_at, wire_time(p.started_at) as started_at, wire_time(p.finished_at) as finished_at`
const rolloutTables = `rollouts p left join users u on u.id = p.created_by
  left join template_versions v on v.board_id = p.board_id and v.revision = p.revision`

export async function readRollout(queries: Queries, id: number): Promise<Rollout | undefined> {
  const [found] = await queries.run<Rollout>(
    `select ${rolloutColumns} from ${rolloutTables} where p.id = $1`,
    [id],
  )
  return found
}

/** What a plan was asked for; null for one from before this was kept. A start that has passed is left out. */
export async function readRequest<Request>(queries: Queries, id: number): Promise<Request | null> {
  const [found] = await queries.run<{ request: Request | null }>(
    `select case when starts_at > now() then request else request - 'starts_at' end as request from rollouts where id = $1`,
    [id],
  )
  return found?.request ?? null
}

/** Of rollouts that have begun and not ended. */
const isActiveRollout = `p.finished_at is null and p.status not in ('planning', 'planned')`

/** How many rollouts of a template, of a platform, or of all have begun and not ended. */
export async function countActive(
  queries: Queries,
  platformId: number | null,
  boardId: number | null,
): Promise<number> {
  const [found] = await queries.run<{ count: number }>(
    `select count(*) from rollouts p where ${isActiveRollout}
       and ($1::bigint is null or p.platform_id = $1) and ($2::bigint is null or p.board_id = $2)`,
    [platformId, boardId],
  )
  return found?.count ?? 0
}

/** The rollouts of a template, of a platform, or all, newest first. */
export const listRollouts = (
  queries: Queries,
  {
    platformId,
    boardId,
    isActive = false,
    before,
    limit,
  }: {
    platformId: number | null
    boardId: number | null
    /** Only rollouts that have begun and not ended. */
    isActive?: boolean
    before: number | null
    limit: number
  },
): Promise<Rollout[]> => {
  const where = isActive ? isActiveRollout : undefined
  const { end, values } = newestFirst('p', { platformId, before, limit, equal: { board_id: boardId }, where })
  return queries.run<Rollout>(`select ${rolloutColumns} from ${rolloutTables} ${end}`, values)
}

/** How many rollouts of all platforms have begun and not ended, by status. */
export const countUnfinished = ({ sql }: Queries) => sql<{ status: RolloutStatus; count: number }[]>`
  select status, count(*) as count from rollouts
  where finished_at is null and status not in ('planning', 'planned') group by status`

export interface RolloutResult {
  counts: Rollout['counts']
  /** Projects whose copy is up to date. A project that opted out does not count, even if it still has cards of the board elsewhere. */
  syncedCount: number
}

/** Reads the results of a rollout in the projects it has reached. */
export async function readResult(queries: Queries, rolloutId: number): Promise<RolloutResult> {
  const [row] = await queries.run<RolloutResult>(resultStatement, [rolloutId])
  return row as RolloutResult
}

const resultStatement = `
  select ${countsOf} as counts, (
    select coalesce(sum(projects - no_access - opted_out - failed), 0)::bigint from rollout_batches where rollout_id = p.id and done_at is not null
  ) as "syncedCount"
  from rollouts p where p.id = $1`

/** What the audit log says of a rollout. */
export interface AuditedRollout {
  platformId: number
  details: Record<string, string | number>
}

export async function auditedRollout({ sql }: Queries, id: number): Promise<AuditedRollout | undefined> {
  const [found] = await sql<{ platform_id: number; [detail: string]: string | number }[]>`
    select p.platform_id, p.id as rollout, p.kind as rollout_kind, p.title, p.template_title as template, coalesce(v.number, 0) as version,
      (select coalesce(sum(projects - no_access), 0)::bigint from rollout_batches where rollout_id = p.id) as projects
    from rollouts p left join template_versions v on v.board_id = p.board_id and v.revision = p.revision where p.id = ${id}`
  if (!found) return undefined
  const { platform_id: platformId, ...details } = found
  return { platformId, details }
}
