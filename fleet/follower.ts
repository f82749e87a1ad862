// Keeps the figures of projects: those with new events are counted within seconds, on every instance for its own writes. Started by service.ts.
import type { Database } from '#database/connect.ts'
import { type Rounds, startRounds } from '#events/rounds.ts'
import type { Log } from '../log.ts'
import { countProjects } from './counting.ts'

export const startCounting = (db: Database, log: Log): Rounds =>
  startRounds({
    gatherMilliseconds: 500,
    // A busy project is counted once in this time, whatever it holds.
    restMilliseconds: 5_000,
    projectsAtOnce: 100,
    patience: 2,
    async work(ids) {
      await db.transaction((queries) => countProjects(queries, ids))
      return []
    },
    onFailure: (error) => log.warn({ error }, 'the figures of projects are late; trying again'),
  })

const projectsAtOnce = 200

/** Counts the projects that nobody has counted since their last event, and those of which something has changed with the time. */
export async function catchUpFigures(db: Database, { signal }: { signal: AbortSignal }): Promise<void> {
  for (let last = 0; ; ) {
    signal.throwIfAborted()
    const { sql } = db
    const projects = await sql<{ id: number; is_behind: boolean }[]>`
      select p.id, f.project_id is null or f.stale_at <= now() or f.deleted_at is distinct from p.deleted_at as is_behind
      from projects p left join project_figures f on f.project_id = p.id
      where p.id > ${last} and p.kind = 'customer' and p.purged_at is null order by p.id limit ${projectsAtOnce * 10}`
    const ids = projects.map(({ id }) => id)
    if (ids.length === 0) return
    last = ids.at(-1) as number
    // A version that changes nothing in a project is received without an event.
    const changed = await sql<{ project_id: number }[]>`
      select v.project_id from project_versions v join project_figures f on f.project_id = v.project_id
      where v.project_id = any(${ids}::bigint[]) and v.version > f.version
      union all
      select b.project_id from boards b
      join project_template_states s on s.project_id = b.project_id and s.master_board_id = b.master_board_id
      where b.project_id = any(${ids}::bigint[]) and b.deleted_at is null and s.received_revision is distinct from b.synced_revision`
    const behind = new Set([
      ...projects.filter((one) => one.is_behind).map(({ id }) => id),
      ...changed.map(({ project_id }) => project_id),
    ])
    const toCount = [...behind]
    for (let at = 0; at < toCount.length; at += projectsAtOnce) {
      signal.throwIfAborted()
      await db.transaction((queries) => countProjects(queries, toCount.slice(at, at + projectsAtOnce)))
    }
  }
}
