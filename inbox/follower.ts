// Follows the events of projects as they are announced, on every instance for its own writes. Started by service.ts.
import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import { type Rounds, startRounds } from '#events/rounds.ts'
import type { Log } from '../log.ts'
import { followEvents } from './following-events.ts'
import type { Tell } from './item.ts'

export const startFollower = (db: Database, { log, tell }: { log: Log; tell: Tell }): Rounds =>
  startRounds({
    gatherMilliseconds: 100,
    // A round itself costs as much as dozens of events.
    restMilliseconds: 500,
    projectsAtOnce: 50,
    patience: 3,
    async work(ids) {
      const { unfinished, told } = await followEvents(db, ids)
      for (const [projectId, items] of Map.groupBy(told, ({ project_id }) => project_id))
        tell(projectId, [...new Set(items.map(({ user_id }) => user_id))])
      // They have more events, or another instance is working on them.
      return unfinished
    },
    onFailure: (error) => log.warn({ error }, 'inboxes are late; trying again'),
  })

/** Announces the projects whose events nobody has followed, such as those of an instance that was killed or of a command. */
export async function catchUp(db: Database, announce: Rounds['announce']): Promise<void> {
  const behind = await inAllProjects(
    db,
    (ids) => db.sql<{ project_id: number }[]>`
      select v.project_id from project_versions v
      left join inbox_positions p on p.project_id = v.project_id and p.project_id = any(${ids}::bigint[])
      where v.project_id = any(${ids}::bigint[]) and v.version > coalesce(p.version, 0)`,
  )
  announce(behind.map(({ project_id }) => project_id))
}
