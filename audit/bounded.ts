// Entries that somebody can cause as often as they like: sign-ins and refused access. Some of each minute are written, the others are counted.
import type { Database, Queries } from '#database/connect.ts'
import type { Log } from '../log.ts'
import type { AuditKind } from './kinds.ts'
import { type Entry, type Origin, recordEntry } from './record.ts'

const minuteMilliseconds = 60_000
/** Per actor. */
const mostPerMinute = 10
/** For a whole instance. A tenant may have as many as are left for others, so alone half of them; an account half as many as are left. */
const mostPerMinuteInAll = 240
/** How many counts are written separately at the end of a minute; the others are added up by kind. */
const mostCounts = 60
/** How many counts of one tenant are kept apart during the minute. */
const mostRemembered = 1000

/** Whose entries they are. */
export interface Whose {
  /** Who causes them: a user, or an IP address if nobody is signed in. */
  actor: string
  /** Who they are about, such as a project. Each tenant has a share, so a stranger with many IP addresses cannot crowd out entries about other tenants. */
  tenant: string
}

/** The project, or the user who has none. */
export const tenantName = (userId: number, projectId: number | null): string =>
  projectId === null ? `user ${userId}` : `project ${projectId}`

/** What was left out of one actor or account and one kind, and the last of it. */
interface LeftOut {
  count: number
  last: [Origin, Entry]
}

export interface BoundedAudit {
  /** Resolves when the entry is written or counted; it never rejects. */
  record(whose: Whose, origin: Origin, entry: Entry): Promise<void>
  /** The same for what only the owner of an account can cause: written in the transaction of the change, and bounded by its actor alone. */
  recordWithin(queries: Queries, whose: Whose, origin: Origin, entry: Entry): Promise<void>
  /** The same for a change that writes the entry in its own statement, if it is told to. Undefined says that nothing was changed. */
  recordAtOnce<Result>(
    whose: Whose,
    origin: Origin,
    entry: Entry,
    change: (isWritten: boolean) => Promise<Result | undefined>,
  ): Promise<Result | undefined>
  /** Writes what was only counted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function startBoundedAudit(db: Database, log: Log): BoundedAudit {
  /** How many entries were written: by actor, by tenant, by account and in all. */
  let written = new Map<string, number>()
  let inAll = 0
  let leftOut = new Map<string, Map<string, LeftOut>>()
  let others = new Map<AuditKind, { count: number; origin: Origin }>()
  const writing = new Set<Promise<void>>()

  const write = (origin: Origin, entry: Entry): Promise<void> => {
    const recorded: Promise<void> = recordEntry(db, origin, entry)
      .catch((error) => log.error({ error }, 'an entry of the audit log was not written'))
      .finally(() => writing.delete(recorded))
    writing.add(recorded)
    return recorded
  }

  const countOf = (name: string): number => written.get(name) ?? 0
  const noteWritten = (name: string) => written.set(name, countOf(name) + 1)
  const mayWrite = (actor: string): boolean => countOf(`actor ${actor}`) < mostPerMinute

  const hasShare = (tenant: string, { accountId }: Entry): boolean => {
    const left = mostPerMinuteInAll - inAll
    return (
      countOf(`tenant ${tenant}`) < left && (accountId == null || countOf(`account ${accountId}`) < left / 2)
    )
  }

  const leaveOut = ({ actor, tenant }: Whose, origin: Origin, entry: Entry) => {
    const { kind, accountId = null } = entry
    // Attempts on an account from many addresses are one count.
    const name = `${origin.actorId === null && accountId !== null ? '' : actor}\n${kind}\n${accountId}`
    const ofTenant = leftOut.get(tenant) ?? new Map<string, LeftOut>()
    leftOut.set(tenant, ofTenant)
    const known = ofTenant.get(name)
    if (!known && ofTenant.size >= mostRemembered) return countAmongOthers(origin, entry, 1)
    const isElsewhere = known !== undefined && known.last[0].address !== origin.address
    const from = isElsewhere ? { ...origin, address: null, requestId: null } : origin
    ofTenant.set(name, { count: (known?.count ?? 0) + 1, last: [from, entry] })
  }

  const countAmongOthers = (origin: Origin, { kind }: Entry, count: number) => {
    const nobody = { ...origin, actorId: null, address: null, requestId: null }
    others.set(kind, { count: count + (others.get(kind)?.count ?? 0), origin: nobody })
  }

  const flush = async () => {
    const counted = inRounds([...leftOut.values()].map((ofTenant) => [...ofTenant.values()]))
    for (const { count, last } of counted.slice(mostCounts)) countAmongOthers(...last, count)
    const ofOthers = others
    written = new Map()
    inAll = 0
    leftOut = new Map()
    others = new Map()
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
    async record(whose, origin, entry) {
      const { actor, tenant } = whose
      if (!mayWrite(actor) || !hasShare(tenant, entry)) return leaveOut(whose, origin, entry)
      noteWritten(`actor ${actor}`)
      noteWritten(`tenant ${tenant}`)
      if (entry.accountId != null) noteWritten(`account ${entry.accountId}`)
      inAll++
      return write(origin, entry)
    },
    async recordWithin(queries, whose, origin, entry) {
      if (!mayWrite(whose.actor)) return queries.afterCommit(() => leaveOut(whose, origin, entry))
      noteWritten(`actor ${whose.actor}`)
      return recordEntry(queries, origin, entry)
    },
    async recordAtOnce(whose, origin, entry, change) {
      const place = `actor ${whose.actor}`
      const isWritten = mayWrite(whose.actor)
      if (isWritten) noteWritten(place)
      const result = await change(isWritten)
      if (result !== undefined && !isWritten) leaveOut(whose, origin, entry)
      if (result === undefined && isWritten) written.set(place, Math.max(0, countOf(place) - 1))
      return result
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** The largest counts of every tenant, then the second largest, and so on. */
function inRounds(tenants: LeftOut[][]): LeftOut[] {
  const ranked = tenants.flatMap((own) =>
    own.sort((a, b) => b.count - a.count).map((counted, round) => ({ ...counted, round })),
  )
  return ranked.sort((a, b) => a.round - b.round || b.count - a.count)
}
