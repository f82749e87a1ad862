import { randomUUID } from 'node:crypto'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { createFeed, type Feed, type Listener, lookAtAll } from './feed.ts'

const channel = 'cardinal_events'
/** Writes within this time share one notification, because each would queue for PostgreSQL's single notify lock. */
const gatherMilliseconds = 20
/** Lost access, and events of an instance that died before it could notify, are seen within this time. */
const lookMilliseconds = 3000
/** A notification holds at most 8,000 bytes: the instance, and pairs of ids of at most 16 characters with two separators. */
const maxIdsAtOnce = 200
/** Notifies listeners, on this instance and others, that a project has new events, which they read from the database. */
export interface Live {
  /** Called after each commit by the connections themselves (database/connect.ts). */
  announce(projectIds: readonly number[]): void
  /** Tells the windows of these people that something of theirs in the project has changed. */
  tell(projectId: number, userIds: readonly number[]): void
  /** Delivers to the listener until the returned function is called. */
  listen(projectId: number, listener: Listener, since: string | undefined): Promise<() => void>
  stop(): Promise<void>
}

/** `onReconnect` is called after the connection was lost, because another database may answer now. */
export async function startLive(db: Database, log: Log, onReconnect: () => void): Promise<Live> {
  const feeds = new Map<number, Feed>()
  /** Ids of projects, or of a project and a person: `1` or `1/2`. */
  const changed = new Set<string>()
  /** Sent with the ids, because PostgreSQL also notifies the sender. */
  const instance = randomUUID()
  let gathering: NodeJS.Timeout | undefined

  const wake = (projectId: number, how: 'wake' | 'startOver' = 'wake') =>
    feeds
      .get(projectId)
      ?.[how]()
      .catch((error) => log.warn({ error, projectId }, 'live updates are late'))
  const tellHere = (projectId: number, userId: number) => feeds.get(projectId)?.tell(userId)
  /** Discards everything that was read before. */
  function startOver() {
    onReconnect()
    for (const projectId of feeds.keys()) wake(projectId, 'startOver')
  }

  async function tellOthers() {
    gathering = undefined
    const ids = [...changed]
    changed.clear()
    for (let start = 0; start < ids.length; start += maxIdsAtOnce)
      await db.sql`select pg_notify(${channel}, ${[instance, ...ids.slice(start, start + maxIdsAtOnce)].join(',')})`
  }

  let isStarted = false
  await db.listen(
    channel,
    (payload) => {
      const [teller, ...ids] = payload.split(',')
      if (teller === instance) return
      for (const [projectId, userId] of ids.map((id) => id.split('/').map(Number)))
        if (userId === undefined) wake(projectId as number)
        else tellHere(projectId as number, userId)
    },
    () => {
      if (isStarted) startOver()
    },
  )
  isStarted = true
  const pass = (change: string) => {
    changed.add(change)
    gathering ??= setTimeout(() => {
      tellOthers().catch((error) =>
        log.warn({ error }, 'other instances could not be notified; they will read the changes later'),
      )
    }, gatherMilliseconds)
  }
  const announce = (projectId: number) => {
    wake(projectId)
    pass(String(projectId))
  }
  let isLooking = false
  const look = async () => {
    if (isLooking || feeds.size === 0) return
    isLooking = true
    await lookAtAll(db, feeds).catch((error) => log.warn({ error }, 'live updates are late'))
    isLooking = false
  }
  const looking = setInterval(look, lookMilliseconds)
  looking.unref()

  return {
    announce: (projectIds) => projectIds.forEach(announce),
    tell(projectId, userIds) {
      for (const userId of userIds) {
        tellHere(projectId, userId)
        pass(`${projectId}/${userId}`)
      }
    },
    async listen(projectId, listener, since) {
      const feed = feeds.get(projectId) ?? createFeed(db, projectId)
      feeds.set(projectId, feed)
      const leave = await feed.join(listener, since)
      return () => {
        leave()
        if (feed.isIdle() && feeds.get(projectId) === feed) feeds.delete(projectId)
      }
    },
    async stop() {
      clearInterval(looking)
      clearTimeout(gathering)
      for (const feed of feeds.values()) feed.end()
      feeds.clear()
      await tellOthers().catch(() => {})
    },
  }
}
