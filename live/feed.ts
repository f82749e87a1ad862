import type { Queries } from '#database/connect.ts'
import { epoch, versionOf } from '#database/epoch.ts'
import { type Cursor, cursorText, parseCursor } from './cursor.ts'

export interface LiveEvent {
  id: number
  /** Null for what concerns every board of the project. */
  board_id: number | null
  card_id: number | null
  actor_id: number | null
  kind: string
  data: unknown
  created_at: string
}

export interface Listener {
  sessionId: number
  /** Everything up to and with `cursor` has been delivered once this has been handed on. */
  deliver(events: LiveEvent[], cursor: string): void
  /** The stream cannot be continued from where it was asked to; the reader has to load everything anew. */
  reset(cursor: string): void
  /** Access has ended. */
  end(): void
}

interface Joined {
  listener: Listener
  /** What was known when it joined; news up to it were delivered then. */
  known: Cursor | undefined
  waiting: News[]
}

const mostEventsAtOnce = 1000

/** The news of one project for all who listen to it on this instance. */
export function createFeed(queries: Queries, projectId: number) {
  const listeners = new Set<Joined>()
  /** Up to here everything was handed to all who listen; never beyond what one of them knew when it joined. */
  let cursor: Cursor | undefined
  let starting: Promise<void> | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let mustStartOver = false

  /** Reads what is new and hands it on; asked again while it runs, it runs once more. */
  function wake(): Promise<void> {
    isStale = true
    running ??= pump().finally(() => {
      running = undefined
      return isStale && listeners.size > 0 ? wake() : undefined
    })
    return running
  }

  /** Lets everybody load everything anew, since news may have been missed. */
  function startOver(): Promise<void> {
    mustStartOver = true
    return wake()
  }

  /** The cursor is set before anybody's own reading, so that no listener knows less than it. */
  function begin(): Promise<void> {
    starting ??= readNews(queries, projectId, null, []).then(
      (news) => {
        cursor = news.cursor
      },
      (error) => {
        starting = undefined
        throw error
      },
    )
    return starting
  }

  async function pump() {
    while (isStale && listeners.size > 0) {
      isStale = false
      await begin()
      const sessionIds = [...listeners].map(({ listener }) => listener.sessionId)
      const read = await readNews(queries, projectId, cursor as Cursor, sessionIds)
      const news = { ...read, isCut: read.isCut || mustStartOver }
      mustStartOver = false
      for (const joined of listeners) {
        const { sessionId } = joined.listener
        // One that came while this was read was not asked about; its own reading decides on its access.
        if (sessionIds.includes(sessionId) && !news.sessionIds.includes(sessionId)) leave(joined, true)
        else if (news.isCut || news.events.length > 0) hand(joined, news)
      }
      cursor = news.cursor
    }
  }

  function hand(joined: Joined, news: News) {
    const { known, listener, waiting } = joined
    if (known === undefined) return void waiting.push(news)
    if (news.isCut || news.cursor.epoch !== known.epoch) {
      // What it knew may be of another epoch, which has the same versions.
      joined.known = news.cursor
      return listener.reset(cursorText(news.cursor))
    }
    const fresh = news.events.filter(({ id }) => id > known.version)
    if (fresh.length > 0) listener.deliver(fresh, cursorText(news.cursor))
  }

  function leave(joined: Joined, hasEnded: boolean) {
    listeners.delete(joined)
    if (hasEnded) joined.listener.end()
  }

  /** Delivers what has happened since the listener's own cursor, then everything as it happens. */
  async function join(listener: Listener, since: string | undefined): Promise<() => void> {
    const joined: Joined = { listener, known: undefined, waiting: [] }
    listeners.add(joined)
    const start = since === undefined ? undefined : parseCursor(since)
    const news = await begin()
      .then(() => readNews(queries, projectId, start ?? null, [listener.sessionId]))
      .catch((error) => {
        leave(joined, false)
        throw error
      })
    joined.known = news.cursor
    if (news.sessionIds.length === 0) leave(joined, true)
    else if (since !== undefined && (!start || news.isCut)) listener.reset(cursorText(news.cursor))
    else listener.deliver(start ? news.events : [], cursorText(news.cursor))
    for (const missed of joined.waiting) hand(joined, missed)
    return () => leave(joined, false)
  }

  function end() {
    for (const joined of listeners) leave(joined, true)
  }

  return { wake, startOver, join, end, isIdle: () => listeners.size === 0 }
}

interface News {
  /** Where they lead to. */
  cursor: Cursor
  events: LiveEvent[]
  /** There are more than were read, or the question was about a version that this history does not have. */
  isCut: boolean
  /** Those of the asked sessions that still have access. */
  sessionIds: number[]
}

/** One statement, so one snapshot: the news, the state they lead to, and who may see them. */
async function readNews(
  queries: Queries,
  projectId: number,
  since: Cursor | null,
  sessionIds: number[],
): Promise<News> {
  const [row] = await queries.run<Cursor & { events: LiveEvent[]; session_ids: number[] }>(newsStatement, [
    projectId,
    since?.version ?? null,
    mostEventsAtOnce + 1,
    sessionIds,
  ])
  if (!row) throw new Error('The statement returned no row')
  const { epoch, version, events, session_ids } = row
  const isVoid = since !== null && (since.epoch !== epoch || since.version > version)
  return {
    cursor: { epoch, version },
    events,
    isCut: isVoid || events.length > mostEventsAtOnce,
    sessionIds: session_ids,
  }
}

const newsStatement = `
  select ${epoch} as epoch, ${versionOf('$1')} as version,
    (select coalesce(json_agg(news order by news.id), '[]') from (
      select e.id, e.board_id, e.card_id, e.actor_id, e.kind, e.data, wire_time(e.created_at) as created_at
      from events e where e.project_id = $1 and e.id > $2 order by e.id limit $3
    ) news) as events,
    (select coalesce(json_agg(s.id), '[]') from sessions s
      join users u on u.id = s.user_id and u.disabled_at is null
      join projects p on p.id = $1 and p.deleted_at is null
      where s.id = any($4::bigint[]) and s.expires_at > now() and (u.superadmin or exists (
        select from memberships m where m.project_id = $1 and m.user_id = u.id))) as session_ids`
