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
/** How many counts name what they are of at the end of a minute; for the others there is one of each kind. */
const mostCounts = 60
const mostRemembered = 10_000

/** What was left out of one actor, one kind and one account, and the last of it. */
interface LeftOut {
  count: number
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
  /** How many entries of an actor were written. */
  let written = new Map<string, number>()
  let leftOut = new Map<string, LeftOut>()
  let others = new Map<AuditKind, { count: number; origin: Origin }>()
  let inAll = 0
  const writing = new Set<Promise<void>>()

  const write = (origin: Origin, entry: Entry): Promise<void> => {
    const recorded: Promise<void> = recordEntry(db, origin, entry)
      .catch((error) => log.error({ error }, 'an entry of the audit log was not written'))
      .finally(() => writing.delete(recorded))
    writing.add(recorded)
    return recorded
  }

  const mayWrite = (actor: string): boolean => (written.get(actor) ?? 0) < mostPerMinute

  const noteWritten = (actor: string) => written.set(actor, (written.get(actor) ?? 0) + 1)

  const leaveOut = (actor: string, origin: Origin, entry: Entry) => {
    const name = `${actor}\n${entry.kind}\n${entry.accountId ?? ''}`
    const known = leftOut.get(name)
    if (!known && leftOut.size >= mostRemembered) return countAmongOthers(origin, entry, 1)
    leftOut.set(name, { count: (known?.count ?? 0) + 1, last: [origin, entry] })
  }

  const countAmongOthers = (origin: Origin, { kind }: Entry, count: number) => {
    const nobody = { ...origin, actorId: null, address: null, requestId: null }
    others.set(kind, { count: count + (others.get(kind)?.count ?? 0), origin: nobody })
  }

  const flush = async () => {
    const counted = [...leftOut.values()].sort((a, b) => b.count - a.count)
    for (const { count, last } of counted.slice(mostCounts)) countAmongOthers(...last, count)
    const ofOthers = others
    written = new Map()
    leftOut = new Map()
    others = new Map()
    inAll = 0
    // Counts come after what they stand for.
    await Promise.all(writing)
    for (const { count, last } of counted.slice(0, mostCounts)) {
      const [origin, entry] = last
      void write(origin, { ...entry, details: { ...entry.details, count } })
    }
    for (const [kind, { count, origin }] of ofOthers) void write(origin, { kind, details: { count } })
    await Promise.all(writing)
  }
  const timer = setInterval(flush, minuteMilliseconds)
  timer.unref()

  return {
    async record(actor, origin, entry) {
      const isKnown = written.has(actor) || written.size < mostRemembered
      if (!isKnown || !mayWrite(actor) || inAll >= mostPerMinuteInAll) return leaveOut(actor, origin, entry)
      noteWritten(actor)
      inAll++
      return write(origin, entry)
    },
    async recordWithin(queries, actor, origin, entry) {
      if (!mayWrite(actor)) return queries.afterCommit(() => leaveOut(actor, origin, entry))
      noteWritten(actor)
      return recordEntry(queries, origin, entry)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
