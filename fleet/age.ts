// How old the kept figures are. Changes of people are counted within seconds; those of a rollout follow it, which takes longer.
import type { Queries } from '#database/connect.ts'

/** The job that looks at all projects has counted what is older. */
const longestHours = 1
const batchesAtOnce = 10
const projectsAtOnce = 50

interface Batch {
  rollout_id: number
  number: number
  changed_ids: number[]
  done_at: string
}

/** Batches that were not counted when follower.ts last looked, in the order in which they changed projects. */
const readUncounted = (
  { sql }: Queries,
  { platformId, after, limit }: { platformId: number | null; after: Batch | undefined; limit: number },
) => sql<Batch[]>`
  select b.rollout_id, b.number, b.changed_ids, b.done_at::text as done_at
  from rollout_batches b join rollouts p on p.id = b.rollout_id
  where not b.is_counted and b.changed > 0 and b.done_at > now() - make_interval(hours => ${longestHours})
    and (${platformId}::bigint is null or p.platform_id = ${platformId})
    and (b.done_at, b.rollout_id, b.number) >
      (coalesce(${after?.done_at ?? null}::text::timestamptz, '-infinity'), ${after?.rollout_id ?? 0}::bigint, ${after?.number ?? 0}::integer)
  order by b.done_at, b.rollout_id, b.number limit ${limit}`

/** When rollouts first changed something in these projects that the figures do not have yet; null if they have all. */
async function firstMissing({ sql }: Queries, projectIds: number[]): Promise<string | null> {
  const behind = await sql<{ project_id: number; version: number }[]>`
    select f.project_id, f.version from project_figures f join project_versions v on v.project_id = f.project_id
    where v.project_id = any(${projectIds}::bigint[]) and f.project_id = any(${projectIds}::bigint[]) and v.version > f.version`
  for (let at = 0; at < behind.length; at += projectsAtOnce) {
    const some = behind.slice(at, at + projectsAtOnce)
    const ids = some.map(({ project_id: id }) => id)
    const [missing] = await sql<{ at: string | null }[]>`
      select wire_time(min(e.created_at)) as at
      from unnest(${ids}::bigint[], ${some.map(({ version }) => version)}::bigint[]) as behind (project_id, version)
      join events e on e.project_id = behind.project_id and e.id > behind.version
      where e.project_id = any(${ids}::bigint[]) and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id')`
    if (missing?.at != null) return missing.at
  }
  return null
}

/**
 * When the first change was made that the figures do not have yet; null if they have all. Projects are counted in the order of batches, and
 * those of a batch are changed at one moment, so the first ones tell.
 */
export async function readAge(queries: Queries, platformId: number | null): Promise<string | null> {
  for (let after: Batch | undefined; ; ) {
    const batches = await readUncounted(queries, { platformId, after, limit: batchesAtOnce })
    for (const { changed_ids: ids } of batches) {
      const missing = await firstMissing(queries, ids)
      if (missing !== null) return missing
    }
    if (batches.length < batchesAtOnce) return null
    after = batches.at(-1)
  }
}

/** Notes which batches the figures have followed by now, so that nobody looks at their projects again. */
export async function noteCounted(queries: Queries): Promise<void> {
  for (;;) {
    const [first] = await readUncounted(queries, { platformId: null, after: undefined, limit: 1 })
    if (!first || (await firstMissing(queries, first.changed_ids)) !== null) return
    await queries.sql`
      update rollout_batches set is_counted = true where rollout_id = ${first.rollout_id} and number = ${first.number}`
  }
}
