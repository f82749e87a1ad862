// Entries that strangers can cause as often as they like: refused access and failed sign-ins. Some of each minute are written, the others are counted.
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { type Entry, type Origin, recordEntry } from './record.ts'

const minuteMilliseconds = 60_000
/** Per actor, or per IP address for those who are not signed in. */
const mostPerMinute = 10
/** For a whole instance. */
const mostPerMinuteInAll = 120
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
  /** Writes what was only counted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function startBoundedAudit(db: Database, log: Log): BoundedAudit {
  let actors = new Map<string, Actor>()
  let inAll = 0
  const writing = new Set<Promise<void>>()

  const write = (origin: Origin, entry: Entry): Promise<void> => {
    const written: Promise<void> = recordEntry(db, origin, entry)
      .catch((error) => log.error({ error }, 'an entry of the audit log was not written'))
      .finally(() => writing.delete(written))
    writing.add(written)
    return written
  }

  const flush = async () => {
    const counted = [...actors.values()].filter(({ left }) => left > 0)
    actors = new Map()
    inAll = 0
    for (const { left, last } of counted) {
      const [origin, entry] = last
      void write(origin, { ...entry, details: { ...entry.details, count: left } })
    }
    await Promise.all(writing)
  }
  const timer = setInterval(flush, minuteMilliseconds)
  timer.unref()

  return {
    async record(name, origin, entry) {
      const key = actors.has(name) || actors.size < mostActors ? name : 'others'
      const actor = actors.get(key) ?? { written: 0, left: 0, last: [origin, entry] }
      actors.set(key, actor)
      if (actor.written < mostPerMinute && inAll < mostPerMinuteInAll) {
        actor.written++
        inAll++
        return write(origin, entry)
      }
      actor.left++
      actor.last = [origin, entry]
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
