// How old the kept figures are. Changes of people are counted within seconds; those of a rollout follow it, which takes longer.
import type { Queries } from '#database/connect.ts'

/** The job that looks at all projects has counted what is older. */
const longestHours = 1
const projectsAtOnce = 10_000

/** When the first change was made that the figures do not have yet; null if they have all. Only what rollouts changed lately is looked at. */
export async function readAge({ sql }: Queries, platformId: number | null): Promise<string | null> {
  const batches = await sql<{ changed_ids: number[] }[]>`
    select b.changed_ids from rollouts p join rollout_batches b on b.rollout_id = p.id
    where p.worked_at > now() - make_interval(hours => ${longestHours}) and b.done_at > now() - make_interval(hours => ${longestHours})
      and cardinality(b.changed_ids) > 0 and (${platformId}::bigint is null or p.platform_id = ${platformId})
    order by b.done_at`
  const ids = [...new Set(batches.flatMap(({ changed_ids: changed }) => changed))]
  let first: string | null = null
  for (let at = 0; at < ids.length; at += projectsAtOnce) {
    const some = ids.slice(at, at + projectsAtOnce)
    const [missing] = await sql<{ at: string | null }[]>`
      with behind as materialized (
        select f.project_id, f.version from project_figures f join project_versions v on v.project_id = f.project_id
        where v.project_id = any(${some}::bigint[]) and f.project_id = any(${some}::bigint[]) and v.version > f.version
      )
      select wire_time(min(e.created_at)) as at from behind join events e on e.project_id = behind.project_id and e.id > behind.version
      where e.project_id = any(${some}::bigint[])`
    if (missing?.at != null && (first === null || missing.at < first)) first = missing.at
  }
  return first
}
