// Keeps the figures of projects: those with new events are counted within seconds, on every instance for its own writes. Started by service.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queries } from '#database/connect.ts'
import { type Rounds, startRounds } from '#events/rounds.ts'
import { pauseIfUndone, undoneSince } from '#rollouts/undone.ts'
import type { Log } from '../log.ts'
import { noteCounted } from './age.ts'
import { countProjects } from './counting.ts'
import { readVersions, type VersionOfProject } from './figures.ts'
import { keepOverviews } from './overview.ts'
import { receivedVersions } from './received.ts'

/** After each step it rests this many times as long, so that a rollout and people's own changes keep the processor. */
const patience = 2

export const startCounting = (db: Database, log: Log): Rounds =>
  startRounds({
    gatherMilliseconds: 500,
    // A busy project is counted once in this time, whatever it holds.
    restMilliseconds: 5_000,
    projectsAtOnce: 100,
    patience,
    async work(ids) {
      await countNews(db, ids)
      return []
    },
    onFailure: (error) => log.warn({ error }, 'the figures of projects are late; trying again'),
  })

/** Counts projects that have new events, of which each is followed once. */
export const countNews = (db: Database, projectIds: number[]): Promise<void> =>
  follow(db, projectIds, async (queries, versions) =>
    countProjects(queries, await withOtherFigures(queries, projectIds), versions),
  )

/** Counts projects in a transaction, then pauses rollouts that too many have undone, and notes which batches are counted. */
async function follow(
  db: Database,
  projectIds: readonly number[],
  count: (queries: Queries, versions: readonly VersionOfProject[]) => Promise<void>,
): Promise<void> {
  const undone = await db.transaction(async (queries) => {
    // Before the events are read, so that none is taken for followed that comes meanwhile.
    const versions = await readVersions(queries, projectIds)
    const found = await undoneSince(queries, projectIds)
    await count(queries, versions)
    return found
  })
  for (const id of undone) await pauseIfUndone(db, id)
  await noteCounted(db)
}

/**
 * True if an event `e` is of a rollout that changed no figure, as most do: it takes nothing back, added no card and kept no field, and the fields that
 * it updated are not counted. An event names only the first cards, so that one of many is counted.
 */
const changesNoFigure = `e.kind = 'template.rolled_out' and e.data->>'rollout_kind' not in ('revert', 'reset') and e.data->>'added_count' = '0'
  and jsonb_array_length(e.data->'updated') = (e.data->>'updated_count')::integer
  and not jsonb_path_exists(e.data, '$.updated[*] ? (exists (@.kept[*]) || exists (@.fields[*] ? (@ == "evaluation_check")))')`

const otherFiguresStatement = `
  with known as materialized (
    select f.project_id, v.version, v.forgotten_until > f.version or exists (
        select from events e where e.project_id = any($1::bigint[]) and e.project_id = f.project_id and e.id > f.version
          and (${changesNoFigure}) is not true) as is_other
    from project_figures f join project_versions v on v.project_id = f.project_id and v.project_id = any($1::bigint[])
    where f.project_id = any($1::bigint[])
  ), noted as (
    update project_figures f set version = known.version from known
    where f.project_id = any($1::bigint[]) and f.project_id = known.project_id and f.version < known.version and not known.is_other
  )
  select id from unnest($1::bigint[]) id where id not in (select project_id from known where not is_other)`

/** Those of the projects whose events may have changed their figures; of the others only the version is stored. */
async function withOtherFigures(queries: Queries, projectIds: number[]): Promise<number[]> {
  const found = await queries.run<{ id: number }>(otherFiguresStatement, [projectIds])
  return found.map(({ id }) => id)
}

const projectsAtOnce = 200

/** Cards stop or start being template cards when their template or a version deletes or restores them. */
const staleStatement = `
  with due as (update master_boards set recount_due = false where recount_due returning id)
  update project_figures f set stale_at = now() from due join project_template_states s on s.master_board_id = due.id
  where f.project_id = s.project_id`

/** Counts the projects that nobody has counted since their last event, and those of which something has changed with the time. */
export async function catchUpFigures(db: Database, { signal }: { signal: AbortSignal }): Promise<void> {
  // First, because the rest may take longer than an overview stays good.
  await keepOverviews(db)
  await db.run(staleStatement, [])
  for (let last = 0; ; ) {
    signal.throwIfAborted()
    const { sql } = db
    const projects = await sql<{ id: number; is_behind: boolean }[]>`
      select p.id, f.project_id is null or f.stale_at <= now() or f.deleted_at is distinct from p.deleted_at
        or f.archived_at is distinct from p.archived_at as is_behind
      from projects p left join project_figures f on f.project_id = p.id
      where p.id > ${last} and p.kind = 'customer' and p.purged_at is null order by p.id limit ${projectsAtOnce * 10}`
    const ids = projects.map(({ id }) => id)
    if (ids.length === 0) return
    last = ids.at(-1) as number
    const newer = await sql<{ project_id: number }[]>`
      select v.project_id from project_versions v join project_figures f on f.project_id = v.project_id
      where v.project_id = any(${ids}::bigint[]) and v.version > f.version`
    // A version that changes nothing in a project is received without an event, and so is the last part of one with the end of its rollout.
    const received = await db.run<{ project_id: number }>(
      `select b.project_id from (${receivedVersions}) b
       left join project_template_states s on s.project_id = b.project_id and s.master_board_id = b.master_board_id
       where s.received_revision is distinct from b.revision`,
      [ids],
    )
    const behind = new Set([
      ...projects.filter((one) => one.is_behind).map(({ id }) => id),
      ...received.map(({ project_id }) => project_id),
    ])
    const toCount = [...behind.union(new Set(newer.map(({ project_id }) => project_id)))]
    for (let at = 0; at < toCount.length; at += projectsAtOnce) {
      signal.throwIfAborted()
      const beganAt = performance.now()
      const step = new Set(toCount.slice(at, at + projectsAtOnce))
      await follow(db, [...step], async (queries, versions) => {
        const others = await withOtherFigures(queries, [...step.difference(behind)])
        await countProjects(queries, [...step.intersection(behind), ...others], versions)
      })
      await sleep((performance.now() - beganAt) * patience, undefined, { signal })
    }
  }
}
