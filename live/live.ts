import { randomUUID } from 'node:crypto'
import type { Database } from '#database/connect.ts'
import { letExpire, prolong, readPresent, type Window } from '#presence/presence.ts'
import type { Log } from '../log.ts'
import { createFeed, type Feed, type Listener, lookAtAll, type ReadTogether } from './feed.ts'

const channel = 'cardinal_events'
const here = 'here'
/** Writes within this time share one notification, because each would queue for PostgreSQL's single notify lock. */
const gatherMilliseconds = 20
/** From one message about who is here to the next: each goes to every window of a project, so one person could cause many. */
const presenceMilliseconds = 500
/** Lost access, and events of an instance that died before it could notify, are seen within this time. */
const lookMilliseconds = 3000
/** The same where no instance hears another. */
const deafLookMilliseconds = 1000
/** A notification holds at most 8,000 bytes: the instance, and pairs of ids of at most 16 characters with two separators. */
const maxIdsAtOnce = 200
/** Notifies listeners, on this instance and others, that a project has new events, which they read from the database. */
export interface Live {
  /** Called after each commit by the connections themselves (database/connect.ts). */
  announce(projectIds: readonly number[]): void
  /** Tells all windows of these people, also those with another project, that their inbox in this project has changed. */
  tell(projectId: number, userIds: readonly number[]): void
  /** Tells the windows of a project, on this instance and others, who has which board open now. */
  tellPresence(projectId: number): void
  /** Delivers to the listener, after a first read, until the returned function is called. */
  listen(
    projectId: number,
    listener: Listener,
    since: string | undefined,
    readTogether: ReadTogether,
  ): Promise<() => void>
  /** How many windows listen on this instance. */
  streams(): number
  stop(): Promise<void>
}

/** `onReconnect` is called after the connection was lost, because another database may answer now. */
export async function startLive(db: Database, log: Log, onReconnect: () => void): Promise<Live> {
  const feeds = new Map<number, Feed>()
  /** Ids of projects, or of a project and a person, or a project whose presence has changed: `1`, `1/2` or `1/here`. */
  const changed = new Set<string>()
  /** Sent with the ids, because PostgreSQL also notifies the sender. */
  const instance = randomUUID()
  let gathering: NodeJS.Timeout | undefined

  const wake = (projectId: number, how: 'wake' | 'startOver' = 'wake') =>
    feeds
      .get(projectId)
      ?.[how]()
      .catch((error) => log.warn({ error, projectId }, 'live updates are late'))
  /** Without listeners that are just joining, because their readers read everything afterwards. */
  const listenersOf = new Map<number, Set<Listener>>()
  const tellHere = (projectId: number, userId: number) => {
    for (const listener of listenersOf.get(userId) ?? []) listener.tell(projectId)
  }
  function remember(listener: Listener): () => void {
    const { userId } = listener
    const own = listenersOf.get(userId) ?? new Set<Listener>()
    listenersOf.set(userId, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0) listenersOf.delete(userId)
    }
  }
  /** Discards everything that was read before. */
  function startOver() {
    onReconnect()
    for (const projectId of feeds.keys()) wake(projectId, 'startOver')
  }

  /** Projects where somebody came or went, and windows whose streams have closed. */
  const asked = new Set<number>()
  const closed = new Set<Window>()
  let asking: NodeJS.Timeout | undefined
  let nextPresenceAt = 0
  /** What happens within a moment is done together: after a restart everybody comes back at once. */
  const gatherPresence = () => {
    asking ??= setTimeout(
      () => {
        asking = undefined
        nextPresenceAt = performance.now() + presenceMilliseconds
        followPresence().catch((error) => log.warn({ error }, 'others see late who is here'))
      },
      Math.max(gatherMilliseconds, nextPresenceAt - performance.now()),
    )
  }
  async function followPresence() {
    const windows = [...closed]
    const projectIds = [...asked].filter((id) => feeds.has(id))
    closed.clear()
    asked.clear()
    if (windows.length > 0) await letExpire(db, windows)
    if (projectIds.length > 0) await showPresent(projectIds)
  }
  function askPresent(projectId: number) {
    asked.add(projectId)
    gatherPresence()
  }
  async function showPresent(projectIds: readonly number[]) {
    const present = await readPresent(db, projectIds)
    for (const projectId of projectIds) feeds.get(projectId)?.showPresent(present.get(projectId) ?? [])
  }
  /** Keeps those with an open window, and lets the others see who has left; costs nothing where nobody is. */
  async function lookWhoIsHere() {
    const known = [...feeds].filter(([, feed]) => feed.knowsPresent())
    if (known.length === 0) return
    const windows = known.flatMap(([, feed]) => feed.windows())
    if (windows.length > 0) await prolong(db, windows)
    await showPresent(known.map(([projectId]) => projectId))
  }
  async function tellOthers() {
    gathering = undefined
    const ids = [...changed]
    changed.clear()
    for (let start = 0; start < ids.length; start += maxIdsAtOnce)
      await db.sql`select pg_notify(${channel}, ${[instance, ...ids.slice(start, start + maxIdsAtOnce)].join(',')})`
  }

  let isStarted = false
  let isStopped = false
  await db.listen(
    channel,
    (payload) => {
      const [teller, ...ids] = payload.split(',')
      if (teller === instance) return
      for (const [project, whom] of ids.map((id) => id.split('/'))) {
        const projectId = Number(project)
        if (whom === undefined) wake(projectId)
        else if (whom === here) askPresent(projectId)
        else tellHere(projectId, Number(whom))
      }
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
    await lookAtAll(db, feeds)
      .then(lookWhoIsHere)
      .catch((error) => log.warn({ error }, 'live updates are late'))
    isLooking = false
  }
  if (!db.canListen)
    log.warn(
      'the database is behind a connection pooler, which passes on no notifications: changes of other instances are seen after a second; set CARDINAL_LISTEN_URL to the address of PostgreSQL itself',
    )
  const looking = setInterval(look, db.canListen ? lookMilliseconds : deafLookMilliseconds)
  looking.unref()

  return {
    announce: (projectIds) => projectIds.forEach(announce),
    tell(projectId, userIds) {
      for (const userId of userIds) {
        tellHere(projectId, userId)
        pass(`${projectId}/${userId}`)
      }
    },
    tellPresence(projectId) {
      askPresent(projectId)
      pass(`${projectId}/${here}`)
    },
    async listen(projectId, listener, since, readTogether) {
      const feed = feeds.get(projectId) ?? createFeed(db, projectId)
      feeds.set(projectId, feed)
      const leave = await feed.join(listener, since, readTogether)
      const forget = remember(listener)
      askPresent(projectId)
      const { userId, streamId } = listener
      return () => {
        leave()
        forget()
        if (streamId !== undefined && !isStopped) {
          closed.add({ projectId, userId, streamId })
          gatherPresence()
        }
        if (feed.isIdle() && feeds.get(projectId) === feed) feeds.delete(projectId)
      }
    },
    streams: () => [...listenersOf.values()].reduce((sum, own) => sum + own.size, 0),
    async stop() {
      isStopped = true
      clearInterval(looking)
      clearTimeout(gathering)
      clearTimeout(asking)
      for (const feed of feeds.values()) feed.end()
      feeds.clear()
      await tellOthers().catch(() => {})
    },
  }
}
