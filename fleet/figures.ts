// Counts projects for the operator's list. Each project is counted as a whole, at a version that it had before: however often and on however
// many instances that happens, the newest count stays.
import type { Queries } from '#database/connect.ts'
import { isCustomized, isInTemplate, withTemplate } from '#templates/copies.ts'

export interface VersionOfProject {
  project_id: number
  version: number
}

/** 0 for a project in which nothing has happened yet. */
export const readVersions = ({ sql }: Queries, projectIds: readonly number[]) => sql<VersionOfProject[]>`
  select given.id as project_id, coalesce(v.version, 0) as version from unnest(${projectIds as number[]}::bigint[]) as given (id)
  left join project_versions v on v.project_id = given.id and v.project_id = any(${projectIds as number[]}::bigint[])`

/** Counts projects and stores the figures; ids of what is no customer's project are left out. */
export async function countFigures(queries: Queries, projects: readonly VersionOfProject[]): Promise<void> {
  await queries.run(countStatement, [
    projects.map(({ project_id: id }) => id),
    projects.map(({ version }) => version),
  ])
}

/** Cards that came from templates: a card `c`, its master `m`, and the revision `base` that it received. */
export const copies = `cards c
  join master_cards m on m.id = c.master_card_id
  left join master_card_revisions base on base.card_id = c.master_card_id and base.revision = c.master_revision`

/** Those of the projects in $1 that are not deleted and still in their template. */
export const templateCards = `${copies} ${withTemplate}`
export const areThere = `c.project_id = any($1::bigint[]) and c.master_card_id is not null and c.deleted_at is null and ${isInTemplate}`

export const isOverdue = `c.status <> 'closed' and c.due_date < now()`

/** The text that a search looks into. */
export const searchedText = (name: string, labels: string) =>
  `concat_ws(e'\\n', ${name}, array_to_string(${labels}, e'\\n'))`

/**
 * $1 the projects, $2 their versions. Labels have no version, so only labeling.ts changes those of a project that was counted before. Everything is counted
 * at least once a day, because a few changes, such as those of the command line, have no event. Events count as activity if a
 * member caused them: rollouts and superadmins' help do not.
 */
const countStatement = `
  with counted as materialized (
    select c.project_id, m.board_id, count(*) filter (where c.is_active) as cards,
      count(*) filter (where c.is_active and c.status = 'closed') as done,
      count(*) filter (where c.is_active and ${isOverdue}) as overdue, count(*) filter (where ${isCustomized}) as customized,
      min(c.due_date) filter (where c.status <> 'closed' and c.due_date >= now()) as next_due
    from ${templateCards} where ${areThere} group by 1, 2
  ), templates as materialized (
    select project_id, jsonb_agg(jsonb_build_object('id', board_id, 'cards', cards, 'done', done) order by board_id) as each,
      sum(cards)::integer as cards, sum(done)::integer as done, sum(overdue)::integer as overdue,
      sum(customized)::integer as customized, min(next_due) as next_due
    from counted group by 1
  ), newest as materialized (
    select distinct on (s.project_id, s.product) s.project_id, s.product, s.plan, s.trial_ends_at, s.current_period_ends_at,
      case when s.status = 'trialing' and s.trial_ends_at <= now() then 'expired' else s.status::text end as status
    from subscriptions s where s.project_id = any($1::bigint[]) order by s.project_id, s.product, s.id desc
  ), bought as materialized (
    select project_id, jsonb_agg(jsonb_build_object('product', product, 'plan', plan, 'status', status, 'ends_at',
        wire_time(case when status in ('trialing', 'expired') then trial_ends_at else current_period_ends_at end)) order by product) as each,
      array_agg(distinct plan) filter (where plan is not null) as plans, array_agg(distinct status) as statuses,
      min(trial_ends_at) filter (where status = 'trialing') as next_end
    from newest group by 1
  ), active as materialized (
    select e.project_id, max(e.created_at) as at from events e
    join memberships member on member.project_id = e.project_id and member.user_id = e.actor_id
    where e.project_id = any($1::bigint[])
      and e.id > coalesce((select f.version from project_figures f where f.project_id = e.project_id), 0)
    group by 1
  ), joined as materialized (
    select project_id, count(*)::integer as count from memberships where project_id = any($1::bigint[]) group by 1
  ), labeled as materialized (
    select project_id, array_agg(label order by label) as labels from project_labels where project_id = any($1::bigint[]) group by 1
  )
  insert into project_figures as f (project_id, platform_id, version, searched, name_key, created_at, deleted_at, archived_at, tool_keys, labels,
    subscriptions, plans, subscription_statuses, trial_ends_at, theme_version_id, members, active_at, templates, cards, done, overdue, customized,
    stale_at)
  select p.id, p.platform_id, v.version, ${searchedText('lower(p.name)', 'labeled.labels')},
    lower(p.name), p.created_at, p.deleted_at, p.archived_at, array(select jsonb_array_elements_text(p.tool_keys)), coalesce(labeled.labels, '{}'),
    coalesce(bought.each, '[]'), coalesce(bought.plans, '{}'), coalesce(bought.statuses, '{}'), bought.next_end, chosen.version_id,
    coalesce(joined.count, 0), coalesce(active.at, p.created_at), coalesce(templates.each, '[]'), coalesce(templates.cards, 0),
    coalesce(templates.done, 0), coalesce(templates.overdue, 0), coalesce(templates.customized, 0),
    least(templates.next_due, bought.next_end, now() + interval '1 day')
  from projects p
  join unnest($1::bigint[], $2::bigint[]) as v (project_id, version) on v.project_id = p.id
  left join theme_choices chosen on chosen.project_id = p.id
  left join templates on templates.project_id = p.id
  left join bought on bought.project_id = p.id
  left join active on active.project_id = p.id
  left join joined on joined.project_id = p.id
  left join labeled on labeled.project_id = p.id
  where p.id = any($1::bigint[]) and p.kind = 'customer' and p.purged_at is null
  order by p.id
  on conflict (project_id) do update set
    platform_id = excluded.platform_id, version = excluded.version, name_key = excluded.name_key,
    searched = ${searchedText('excluded.name_key', 'f.labels')},
    deleted_at = excluded.deleted_at, archived_at = excluded.archived_at, tool_keys = excluded.tool_keys, subscriptions = excluded.subscriptions,
    plans = excluded.plans, subscription_statuses = excluded.subscription_statuses, trial_ends_at = excluded.trial_ends_at,
    theme_version_id = excluded.theme_version_id,
    members = excluded.members, active_at = greatest(f.active_at, excluded.active_at), templates = excluded.templates,
    cards = excluded.cards, done = excluded.done, overdue = excluded.overdue, customized = excluded.customized,
    stale_at = excluded.stale_at
  where f.version <= excluded.version`
