// What an operator looks at first, from the kept figures.
import { integer, list, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { isInTemplate, withTemplate } from '#templates/copies.ts'
import { coverageOf, coverageTables } from '#templates/coverage.ts'
import { newestTitle } from '#templates/version/version.ts'
import { otherMeasures, startOfWeek, weekOf, weekPrefix } from './measures.ts'
import { lastActivity, wasActive } from './project.ts'

/** Open template cards, and no activity for this long. */
const stuckDays = 14
const trialDays = 7
const shownWeeks = 26
const mostShown = 5

const named = { id: integer(), name: text() }

export const overview = record({
  as_of: timestamp({ about: 'When it was counted: now, or up to a minute or two ago if that takes long.' }),
  projects_count: integer(),
  active_count: integer({ about: 'Projects where a member did something in the last 7 days.' }),
  cards_count: integer({ about: 'Template cards in all projects.' }),
  done_count: integer(),
  overdue_count: integer(),
  stuck_count: integer({
    about: 'Projects with open template cards where no member has done anything for 14 days.',
  }),
  stuck: list(record({ ...named, active_at: nullable(timestamp()) })),
  trials_count: integer({ about: 'Trials that end within 7 days.' }),
  trials: list(record({ ...named, trial_ends_at: timestamp() })),
  failing_count: integer({ about: 'Template cards in projects whose check fails.' }),
  failing: list(
    record({ card_id: integer(), board_id: integer(), title: text(), projects_count: integer() }),
  ),
  templates: list(
    record({
      id: integer(),
      title: text(),
      projects_count: integer({ about: 'How many of these have it.' }),
      access_count: integer({ about: 'Projects that may have it.' }),
    }),
  ),
  weeks: list(record({ week: text(), projects_count: integer(), done_count: integer() }), {
    about:
      'How many projects there were at the end of each week, and how many template cards were done in it.',
  }),
})

type Overview = Omit<(typeof overview)['static'], 'as_of'>

interface Sums {
  projects_count: number
  active_count: number
  cards_count: number
  done_count: number
  overdue_count: number
  stuck_count: number
  trials_count: number
}

const isStuck = `f.cards > f.done and f.active_at < now() - interval '${stuckDays} days'`
const endsSoon = `f.trial_ends_at between now() and now() + interval '${trialDays} days'`
const isListed = 'm.deleted_at is null and ($1::bigint is null or m.platform_id = $1)'

/** From this on it is kept for readers, who would wait for it. */
const longMilliseconds = 100
/** An overview that is older was kept by a service that does not count any more. */
const oldestMinutes = 5

/** The overview of a platform, or of all: as it is now, or a minute ago if there are too many projects to count them while somebody waits. */
export async function readOverview(
  queries: Queries,
  platformId: number | null,
): Promise<Overview & { as_of: string }> {
  const [kept] = await queries.run<{ overview: Overview; as_of: string }>(
    `select overview, wire_time(counted_at) as as_of from overviews
     where platform_id is not distinct from $1 and counted_at > now() - interval '${oldestMinutes} minutes'`,
    [platformId],
  )
  return kept
    ? { ...kept.overview, as_of: kept.as_of }
    : { ...(await countOverview(queries, platformId)), as_of: new Date().toISOString() }
}

/** Counts each overview again, and keeps it if that takes this long. */
export async function keepOverviews(queries: Queries, milliseconds = longMilliseconds): Promise<void> {
  const platforms = await queries.run<{ id: number | null }>(
    'select id from platforms union all select null order by 1',
    [],
  )
  for (const { id } of platforms) {
    const beganAt = performance.now()
    const counted = await countOverview(queries, id)
    if (performance.now() - beganAt < milliseconds)
      await queries.run('delete from overviews where platform_id is not distinct from $1', [id])
    else
      await queries.run(
        `insert into overviews (platform_id, overview) values ($1, $2::text::jsonb)
         on conflict (platform_id) do update set overview = excluded.overview, counted_at = now()`,
        [id, JSON.stringify(counted)],
      )
  }
}

async function countOverview(
  queries: Queries,
  platformId: number | null,
  now = Date.now(),
): Promise<Overview> {
  const of = [platformId]
  // Two statements, because PostgreSQL would read all projects for the few of a small platform.
  const isThere = `f.deleted_at is null and f.archived_at is null${platformId === null ? '' : ' and f.platform_id = $1'}`
  const ofFigures = platformId === null ? [] : of
  const [[sums], stuck, trials, failing, templates, created, done] = await Promise.all([
    queries.run<Sums>(
      `select count(*) as projects_count, count(*) filter (where f.active_at >= now() - interval '7 days' and ${wasActive}) as active_count,
         coalesce(sum(f.cards), 0)::bigint as cards_count, coalesce(sum(f.done), 0)::bigint as done_count,
         coalesce(sum(f.overdue), 0)::bigint as overdue_count, count(*) filter (where ${isStuck}) as stuck_count,
         count(*) filter (where ${endsSoon}) as trials_count
       from project_figures f where ${isThere}`,
      ofFigures,
    ),
    queries.run<Overview['stuck'][number]>(
      `select p.id, p.name, ${lastActivity} as active_at from project_figures f join projects p on p.id = f.project_id
       where ${isThere} and ${isStuck} order by f.active_at, f.project_id limit ${mostShown}`,
      ofFigures,
    ),
    queries.run<Overview['trials'][number]>(
      `select p.id, p.name, greatest(f.trial_ends_at, now()) as trial_ends_at from project_figures f join projects p on p.id = f.project_id
       where ${isThere} and ${endsSoon} order by f.trial_ends_at, f.project_id limit ${mostShown}`,
      ofFigures,
    ),
    queries.run<Overview['failing'][number]>(
      `select m.id as card_id, m.board_id, coalesce(published.title, m.title) as title, sums.count as projects_count
       from template_card_counts sums join master_cards m on m.id = sums.master_card_id ${withTemplate}
       where sums.measure = '${otherMeasures.check_failed}' and sums.count > 0 and ($1::bigint is null or m.platform_id = $1) and ${isInTemplate}
       order by sums.count desc, m.id`,
      of,
    ),
    queries.run<Overview['templates'][number]>(
      `with ${coverageOf(isListed)}
       select m.id, ${newestTitle('m')} as title, held.covered_count as projects_count, reach.access_count
       from master_boards m ${coverageTables} where ${isListed} order by m.platform_id, m.rank`,
      of,
    ),
    queries.run<{ week: number; count: number }>(
      `select floor(extract(epoch from f.created_at - timestamptz '1970-01-05 00:00+00') / 604800)::integer as week, count(*)
       from project_figures f where ${isThere} group by 1`,
      ofFigures,
    ),
    queries.run<{ week: number; count: number }>(
      `select substr(sums.measure, 2)::integer as week, sum(sums.count)::bigint as count
       from template_card_counts sums join master_cards c on c.id = sums.master_card_id
       where sums.measure like '${weekPrefix}%' and ($1::bigint is null or c.platform_id = $1) group by 1`,
      of,
    ),
  ])
  const last = weekOf(now)
  const weeks = Array.from({ length: shownWeeks }, (_, index) => last - shownWeeks + 1 + index)
  const until = (week: number) =>
    created.filter((one) => one.week <= week).reduce((sum, { count }) => sum + count, 0)
  return {
    ...(sums as Sums),
    stuck,
    trials,
    failing_count: failing.reduce((sum, { projects_count: count }) => sum + count, 0),
    failing: failing.slice(0, mostShown),
    templates,
    weeks: weeks.map((week) => ({
      week: startOfWeek(week),
      projects_count: until(week),
      done_count: done.find((one) => one.week === week)?.count ?? 0,
    })),
  }
}
