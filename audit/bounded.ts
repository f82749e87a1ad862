// Entries that somebody can cause as often as they like: sign-ins and refused access. Some of each minute are written, the others are counted.
import type { Database, Queries } from '#database/connect.ts'
import type { Log } from '../log.ts'
import type { AuditKind } from './kinds.ts'
import { type Entry, type Origin, recordEntry } from './record.ts'

const minuteMilliseconds = 60_000
/** Per actor, or per IP address for those who are not signed in. */
const mostPerMinute = 10
/** For a whole instance. */
const mostPerMinuteInAll = 120
/** How many actors have a count of their own at the end of a minute; for the others there is one of each kind. */
const mostCounts = 60
const mostActors = 10_000

interface Actor {
  written: number
  /** What was left out since, and the last of it. */
  left: number
  last: [Origin, Entry]
}

export interface BoundedAudit {
  /** Resolves when the entry is written or counted; it never rejects. */
  record(actor: string, origin: Origin, entry: Entry): Promise<void>
  /** The same for what only the owner of an account can cause: written in the transaction of the change, and bounded by its actor alone. */
  recordWithin(queries: Queries, actor: string, origin: Origin, entry: Entry): Promise<void>
  /** Writes what was only counted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function startBoundedAudit(db: Database, log: Log): BoundedAudit {
  let actors = new Map<string, Actor>()
  let others = new Map<AuditKind, { count: number; origin: Origin }>()
  let inAll = 0
  const writing = new Set<Promise<void>>()

  const write = (origin: Origin, entry: Entry): Promise<void> => {
    const written: Promise<void> = recordEntry(db, origin, entry)
      .catch((error) => log.error({ error }, 'an entry of the audit log was not written'))
      .finally(() => writing.delete(written))
    writing.add(written)
    return written
  }

  const actorNamed = (name: string, most: number, last: [Origin, Entry]): Actor | undefined => {
    const known = actors.get(name)
    if (known || actors.size >= most) return known
    const actor: Actor = { written: 0, left: 0, last }
    actors.set(name, actor)
    return actor
  }

  const leaveOut = (actor: Actor | undefined, origin: Origin, entry: Entry) => {
    if (!actor) return countAmongOthers(origin, entry, 1)
    actor.left++
    actor.last = [origin, entry]
  }

  const countAmongOthers = (origin: Origin, { kind }: Entry, count: number) => {
    const nobody = { ...origin, actorId: null, address: null, requestId: null }
    others.set(kind, { count: count + (others.get(kind)?.count ?? 0), origin: nobody })
  }

  const flush = async () => {
    const counted = [...actors.values()].filter(({ left }) => left > 0).sort((a, b) => b.left - a.left)
    for (const { left, last } of counted.slice(mostCounts)) countAmongOthers(...last, left)
    const ofOthers = others
    actors = new Map()
    others = new Map()
    inAll = 0
    // Counts come after what they stand for.
    await Promise.all(writing)
    for (const { left, last } of counted.slice(0, mostCounts)) {
      const [origin, entry] = last
      void write(origin, { ...entry, details: { ...entry.details, count: left } })
    }
    for (const [kind, { count, origin }] of ofOthers) void write(origin, { kind, details: { count } })
    await Promise.all(writing)
  }
  const timer = setInterval(flush, minuteMilliseconds)
  timer.unref()

  return {
    async record(name, origin, entry) {
      const actor = actorNamed(name, mostActors, [origin, entry])
      if (!actor || actor.written >= mostPerMinute || inAll >= mostPerMinuteInAll)
        return leaveOut(actor, origin, entry)
      actor.written++
      inAll++
      return write(origin, entry)
    },
    async recordWithin(queries, name, origin, entry) {
      const actor = actorNamed(name, Number.POSITIVE_INFINITY, [origin, entry])
      if (!actor || actor.written >= mostPerMinute) return leaveOut(actor, origin, entry)
      actor.written++
      return recordEntry(queries, origin, entry)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
