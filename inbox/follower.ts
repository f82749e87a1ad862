// Follows the events of projects as they are announced, on every instance for its own writes. Started by service.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { followEvents } from './following-events.ts'
import type { Tell } from './item.ts'

/** Events within this time are followed together. */
const gatherMilliseconds = 100
/** From one round to the next while there is much to do, because a round itself costs as much as dozens of events. */
const restMilliseconds = 500
const retryMilliseconds = 1000
const projectsAtOnce = 50
/** What changes more projects than this at once is a rollout or the like. */
const mostOfPeople = 10
/** After following what was rolled out it rests this many times as long, so that rollouts keep the processor. */
const patience = 3

export interface Follower {
  /** Called after each commit with the projects that have new events. */
  announce(projectIds: readonly number[]): void
  stop(): Promise<void>
}

export function startFollower(db: Database, { log, tell }: { log: Log; tell: Tell }): Follower {
  const waiting = new Set<number>()
  /** Changed together with many others; their turn comes when no other project waits, so that people's own changes are told at once. */
  const patient = new Set<number>()
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  /** When the next round may begin. */
  let nextAt = 0

  async function run() {
    while (waiting.size + patient.size > 0 && !stopping.signal.aborted) {
      const gather = waiting.size > 0 ? gatherMilliseconds : 0
      await pause(Math.max(gather, nextAt - performance.now()))
      const beganAt = performance.now()
      nextAt = beganAt + restMilliseconds
      if (waiting.size > 0) await followAll(waiting)
      else {
        await followAll(patient, projectsAtOnce)
        const now = performance.now()
        nextAt = now + (now - beganAt) * patience
      }
    }
  }

  async function followAll(projects: Set<number>, most = projects.size) {
    const round = [...projects.values().take(most)].sort((a, b) => a - b)
    for (const id of round) projects.delete(id)
    for (let at = 0; at < round.length && !stopping.signal.aborted; at += projectsAtOnce)
      await follow(round.slice(at, at + projectsAtOnce))
  }

  async function follow(ids: number[]) {
    try {
      const { unfinished, told } = await followEvents(db, ids)
      for (const id of unfinished) waiting.add(id)
      // They have more events, or another instance is working on them.
      if (unfinished.length > 0) nextAt = 0
      for (const [projectId, items] of Map.groupBy(told, ({ project_id }) => project_id))
        tell(projectId, [...new Set(items.map(({ user_id }) => user_id))])
    } catch (error) {
      log.warn({ error }, 'inboxes are late; trying again')
      for (const id of ids) waiting.add(id)
      await pause(retryMilliseconds)
    }
  }

  return {
    announce(projectIds) {
      const line = projectIds.length > mostOfPeople ? patient : waiting
      for (const id of projectIds) line.add(id)
      running ??= run().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Announces the projects whose events nobody has followed, such as those of an instance that was killed or of a command. */
export async function catchUp(db: Database, announce: Follower['announce']): Promise<void> {
  const behind = await inAllProjects(
    db,
    (ids) => db.sql<{ project_id: number }[]>`
      select v.project_id from project_versions v
      left join inbox_positions p on p.project_id = v.project_id and p.project_id = any(${ids}::bigint[])
      where v.project_id = any(${ids}::bigint[]) and v.version > coalesce(p.version, 0)`,
  )
  announce(behind.map(({ project_id }) => project_id))
}
