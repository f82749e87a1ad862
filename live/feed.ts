import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '#database/connect.ts'
import { epoch, versionOf } from '#database/epoch.ts'
import { gather } from '#database/gather.ts'
import { isSupport, shownActorId, withoutSupportIds } from '#events/shown-name.ts'
import type { Present, Window } from '#presence/presence.ts'
import { type Cursor, cursorText, parseCursor } from './cursor.ts'
import type { LiveEvent } from './live-event.ts'

export interface Listener {
  sessionId: number
  userId: number
  /** The name of the window, if it shows what it has open. */
  streamId: string | undefined
  /** A superadmin who needs no two-factor authentication. */
  isExempt: boolean
  /** After these events, everything up to and including `cursor` has been delivered. */
  deliver(events: LiveEvent[], cursor: string): void
  /** The stream cannot continue from the reader's cursor, so the reader has to load everything again. */
  reset(cursor: string): void
  /** The inbox of this reader has changed, in the project of this stream or in another one. */
  tell(projectId: number): void
  /** Who has which board open, as JSON. */
  showPresent(people: string): void
  /** The reader has lost access. */
  end(): void
}

interface Joined {
  listener: Listener
  /** The cursor when the listener joined; everything up to it was delivered then. */
  known: Cursor | undefined
  waiting: News[]
  /** Who is here, as text, as far as the listener was told. */
  present: string
}

/** A turn for all who join the project at the same moment; another one for each statement. */
export type ReadTogether = () => Queries

/** Beyond this the readers load everything again, which costs less. */
const mostAtOnce = { events: 1000, bytes: 2 * 1024 * 1024 }
/** The same for what a reader missed, which is sent to it alone, as often as it comes. */
const mostMissed = { events: 250, bytes: 64 * 1024 }
/** The pause after a delivery, for each listener: what is sent to the windows of one project costs others little, however many there are. */
const pauseMilliseconds = 0.5

/** Reads a project's new events once for all its listeners on this instance. */
export function createFeed(queries: Queries, projectId: number) {
  const listeners = new Set<Joined>()
  /** Everything up to here was delivered to all listeners; never beyond the cursor at which one of them joined. */
  let cursor: Cursor | undefined
  let starting: Promise<void> | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let mustStartOver = false
  let pausedUntil = 0

  /** Reads and delivers new events; a call during a run makes it run once more. */
  function wake(): Promise<void> {
    isStale = true
    running ??= pump().finally(() => {
      running = undefined
      return isStale && listeners.size > 0 ? wake() : undefined
    })
    return running
  }

  /** Makes all readers load everything again, since events may have been missed. */
  function startOver(): Promise<void> {
    mustStartOver = true
    return wake()
  }

  /** Sets the cursor before any listener's own read, so that no listener is behind it. */
  function begin(): Promise<void> {
    starting ??= readNews(queries, projectId, null, [], []).then(
      (newsAfter) => {
        cursor = newsAfter(undefined).cursor
      },
      (error) => {
        starting = undefined
        throw error
      },
    )
    return starting
  }

  /**
   * Where the project is, what those who join have missed and which of them have access: one statement for all who come at once, as after
   * a restart. The lowest cursor that can be continued decides how much is read; each gets what is newer than its own.
   */
  const readForJoining = gather(
    async (joining: { sessionId: number; since: Cursor | undefined; readTogether: ReadTogether }[]) => {
      const sessionIds = joining.map(({ sessionId }) => sessionId)
      const { readTogether } = joining[0] as (typeof joining)[number]
      const { epoch, version } = cursor as Cursor
      const missing = joining.flatMap(({ since }) =>
        since?.epoch === epoch && since.version >= version - mostMissed.events ? since.version : [],
      )
      const lowest = missing.length === 0 ? null : { epoch, version: Math.min(...missing) }
      const newsAfter = await readNews(readTogether(), projectId, lowest, sessionIds, exemptIds(), mostMissed)
      return joining.map(({ since }) => newsAfter(since))
    },
  )

  async function pump() {
    while (isStale && listeners.size > 0) {
      const pause = pausedUntil - performance.now()
      if (pause > 0) await sleep(pause)
      isStale = false
      await begin()
      const sessionIds = [...listeners].map(({ listener }) => listener.sessionId)
      const newsAfter = await readNews(queries, projectId, cursor as Cursor, sessionIds, exemptIds())
      const read = newsAfter(cursor)
      const news = { ...read, isCut: read.isCut || mustStartOver }
      mustStartOver = false
      for (const joined of listeners) {
        const { sessionId } = joined.listener
        // A listener that joined during this read was not checked; its own read decides on its access.
        if (sessionIds.includes(sessionId) && !news.sessionIds.includes(sessionId)) leave(joined, true)
        else if (news.isCut || news.events.length > 0) hand(joined, news)
      }
      cursor = news.cursor
      pausedUntil = performance.now() + listeners.size * pauseMilliseconds
    }
  }

  function hand(joined: Joined, news: News) {
    const { known, listener, waiting } = joined
    if (known === undefined) return void waiting.push(news)
    if (news.isCut || news.cursor.epoch !== known.epoch) {
      // Its cursor may be of another epoch, in which the same versions exist.
      joined.known = news.cursor
      return listener.reset(cursorText(news.cursor))
    }
    // The same list for all listeners, where possible, so that it becomes text only once.
    const events = eventsFor(listener, news)
    const isAllNew = events.every(({ id }) => id > known.version)
    const fresh = isAllNew ? events : events.filter(({ id }) => id > known.version)
    if (fresh.length > 0) listener.deliver(fresh, cursorText(news.cursor))
  }

  function leave(joined: Joined, hasEnded: boolean) {
    if (listeners.delete(joined) && hasEnded) joined.listener.end()
  }

  /** Delivers the events since the listener's cursor, then new ones as they happen. */
  async function join(
    listener: Listener,
    lastId: string | undefined,
    readTogether: ReadTogether,
  ): Promise<() => void> {
    const joined: Joined = { listener, known: undefined, waiting: [], present: '[]' }
    listeners.add(joined)
    const since = lastId === undefined ? undefined : parseCursor(lastId)
    const { sessionId } = listener
    const news = await begin()
      .then(() => readForJoining({ sessionId, since, readTogether }))
      .catch((error) => {
        leave(joined, false)
        throw error
      })
    joined.known = news.cursor
    if (!news.sessionIds.includes(sessionId)) leave(joined, true)
    // It may also have lost access, and been told so, during its own read.
    if (!listeners.has(joined)) return () => {}
    if (news.isCut || (lastId !== undefined && !since)) listener.reset(cursorText(news.cursor))
    else listener.deliver(eventsFor(listener, news), cursorText(news.cursor))
    for (const missed of joined.waiting) hand(joined, missed)
    return () => leave(joined, false)
  }

  /** Tells the listeners who is here, if it is not what they know. */
  function showPresent(people: readonly Present[]) {
    const text = JSON.stringify(people)
    for (const joined of listeners) {
      // One that is just joining is told after its first message.
      if (joined.known === undefined || joined.present === text) continue
      joined.present = text
      joined.listener.showPresent(text)
    }
  }

  function end() {
    for (const joined of listeners) leave(joined, true)
  }

  /** Ends the listeners that have lost access, and reads if the project is not where this feed is. */
  async function compare(found: Found) {
    for (const joined of listeners) {
      const { sessionId } = joined.listener
      if (found.checked.has(sessionId) && !found.allowed.has(sessionId)) leave(joined, true)
    }
    if (!cursor || !isSame(cursor, found.cursor)) await wake()
  }

  const windows = (): Window[] =>
    [...listeners].flatMap(({ listener: { userId, streamId } }) =>
      streamId === undefined ? [] : { projectId, userId, streamId },
    )
  const sessionIds = () => new Set([...listeners].map(({ listener }) => listener.sessionId))
  const exemptIds = () =>
    [...listeners].filter(({ listener }) => listener.isExempt).map(({ listener }) => listener.sessionId)
  return {
    wake,
    startOver,
    join,
    showPresent,
    windows,
    knowsPresent: () => [...listeners].some(({ present }) => present !== '[]'),
    end,
    compare,
    sessionIds,
    exemptIds,
    isIdle: () => listeners.size === 0,
  }
}

const isSame = (a: Cursor, b: Cursor) => a.epoch === b.epoch && a.version === b.version

export type Feed = ReturnType<typeof createFeed>

/** What a look at a project found. */
interface Found {
  cursor: Cursor
  /** The sessions that were checked, and those of them that still have access. */
  checked: ReadonlySet<number>
  allowed: ReadonlySet<number>
}

/** Looks with one statement whether anything has changed in all these projects, and passes it on to their feeds. */
export async function lookAtAll(queries: Queries, feeds: ReadonlyMap<number, Feed>): Promise<void> {
  const asked = [...feeds].map(([projectId, feed]) => ({ projectId, feed, checked: feed.sessionIds() }))
  const pairs = asked.flatMap(({ projectId, checked }) => [...checked].map((id) => [projectId, id] as const))
  const [row] = await queries.run<{
    epoch: string
    versions: Record<string, number>
    allowed: Record<string, number[]>
  }>(lookStatement, [
    asked.map(({ projectId }) => projectId),
    pairs.map(([projectId]) => projectId),
    pairs.map(([, sessionId]) => sessionId),
    asked.flatMap(({ feed }) => feed.exemptIds()),
  ])
  if (!row) throw new Error('The statement returned no row')
  const { epoch, versions, allowed } = row
  await Promise.all(
    asked.map(({ projectId, feed, checked }) =>
      feed.compare({
        cursor: { epoch, version: versions[projectId] ?? 0 },
        checked,
        allowed: new Set(allowed[projectId]),
      }),
    ),
  )
}

interface News {
  /** The cursor after these events. */
  cursor: Cursor
  events: LiveEvent[]
  /** The superadmins who helped the project, by event: only they themselves learn that it was them. */
  supporters: Record<string, number>
  /** True if not everything since the cursor is here: there is too much, the epoch is another one, or events were deleted. */
  isCut: boolean
  /** The sessions that still have access, of those given. */
  sessionIds: number[]
}

/** A window knows its own changes by their author. */
const eventsFor = ({ userId }: Listener, { events, supporters }: News): LiveEvent[] =>
  Object.values(supporters).includes(userId)
    ? events.map((event) => (supporters[event.id] === userId ? { ...event, actor_id: userId } : event))
    : events

/**
 * Reads events, cursor and access in one statement, and so in one snapshot: what is newer than the given cursor, or nothing. Returns the news
 * after this or a later cursor, and of readers who begin now.
 */
async function readNews(
  queries: Queries,
  projectId: number,
  lowest: Cursor | null,
  sessionIds: number[],
  exemptIds: number[],
  most = mostAtOnce,
): Promise<(since: Cursor | undefined) => News> {
  type Row = Cursor & Pick<News, 'events' | 'supporters'> & { complete_since: number; session_ids: number[] }
  const [row] = await queries.run<Row>(newsStatement, [
    projectId,
    lowest?.version ?? null,
    most.events,
    sessionIds,
    exemptIds,
    most.bytes,
  ])
  if (!row) throw new Error('The statement returned no row')
  const { epoch, version, complete_since, events, supporters, session_ids } = row
  /** One list for all readers with the same cursor, so that it becomes text only once. */
  const eventsAfter = new Map<number, LiveEvent[]>()
  return (since) => {
    const isCut =
      since !== undefined &&
      (since.epoch !== epoch || since.version > version || since.version < complete_since)
    const from = since === undefined || isCut ? version : since.version
    const fresh = eventsAfter.get(from) ?? events.filter(({ id }) => id > from)
    eventsAfter.set(from, fresh)
    return { cursor: { epoch, version }, events: fresh, supporters, isCut, sessionIds: session_ids }
  }
}

/** Whether the user `u` of the session `s` may read the project `p`. */
const mayRead = (exemptIds: string) => `(
  u.superadmin and (u.totp_secret is not null or s.passkey_id is not null or s.id = any(${exemptIds}::bigint[]))
    and coalesce(u.superadmin_platform_id, p.platform_id) = p.platform_id
  or exists (select from memberships m where m.project_id = p.id and m.user_id = u.id))`

const lookStatement = `
  select ${epoch} as epoch,
    (select coalesce(json_object_agg(project_id, version), '{}') from project_versions
      where project_id = any($1::bigint[])) as versions,
    (select coalesce(json_object_agg(project_id, session_ids), '{}') from (
      select asked.project_id, json_agg(s.id) as session_ids
      from unnest($2::bigint[], $3::bigint[]) as asked (project_id, session_id)
      join sessions s on s.id = asked.session_id and s.expires_at > now()
      join users u on u.id = s.user_id and u.disabled_at is null
      join projects p on p.id = asked.project_id and p.deleted_at is null
      where ${mayRead('$4')}
      group by asked.project_id
    ) accessible) as allowed`

const newestMissed = `e.project_id = $1 and e.id > greatest($2, ${versionOf('$1')} - $3::bigint)`

/**
 * The newest events, as many as fit, and the version since which they are all: what they take in the table is known without reading their data.
 * If $2 is null, there are none.
 */
const newsStatement = `
  with stored as materialized (
    select e.id, sum(pg_column_size(e.data)) over (order by e.id desc) > $6::bigint as is_beyond
    from events e where $2::bigint is not null and ${newestMissed}
  ), found as materialized (
    select e.id, e.board_id, e.card_id, ${shownActorId} as actor_id, case when ${isSupport('$1')} then u.id end as supporter_id, e.kind,
      case when e.kind in ('template.rolled_out', 'template.kept') then e.data - '{cards,changed_groups,named,batch}'::text[] else ${withoutSupportIds('e.data')} end as data, wire_time(e.created_at) as created_at
    from events e left join users u on u.id = e.actor_id
    where e.project_id = $1 and e.id = any(array(select id from stored where not is_beyond))
  ), page as materialized (
    select *, sum(octet_length(data::text)) over (order by id desc) > $6 as is_beyond from found
  )
  select ${epoch} as epoch, ${versionOf('$1')} as version,
    greatest(coalesce($2, ${versionOf('$1')}), ${versionOf('$1')} - $3::bigint,
      (select forgotten_until from project_versions where project_id = $1),
      (select max(id) from stored where is_beyond), (select max(id) from page where is_beyond)) as complete_since,
    (select coalesce(json_agg(news order by news.id), '[]') from (
      select id, board_id, card_id, actor_id, kind, data, created_at from page where not is_beyond
    ) news) as events,
    (select coalesce(json_object_agg(id, supporter_id), '{}') from page where supporter_id is not null) as supporters,
    (select coalesce(json_agg(s.id), '[]') from sessions s
      join users u on u.id = s.user_id and u.disabled_at is null
      join projects p on p.id = $1 and p.deleted_at is null
      where s.id = any($4::bigint[]) and s.expires_at > now() and ${mayRead('$5')}) as session_ids`
