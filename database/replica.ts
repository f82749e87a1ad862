// Reads from a replica, if it has everything that was committed when the request began. Used by api/turns.ts.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type Database } from './connect.ts'
import { epoch } from './epoch.ts'
import { longestSilenceSeconds } from './pools.ts'
import type { Address } from './server-address.ts'

export interface Replica {
  db: ReturnType<typeof connect>
  /** True if a statement on the replica sees all that was committed before this call. */
  isCurrent(): Promise<boolean>
  stop(): Promise<void>
}

/** A request waits this long for the replica. */
const patienceMilliseconds = 50
const pauseMilliseconds = 5
/** Also if it does not answer at all. */
const longestMilliseconds = 200
/** After it was late, or while it does not follow the primary, nobody waits for it this long. */
const restMilliseconds = 1_000
/** How long the replica has to show a mark. */
const lookMilliseconds = 100
const mostLooks = 100

/** `onLost` is called when the replica does not follow the primary, and again only after it did. */
export function openReplica(
  primary: Database,
  address: Address,
  { connections, onLost }: { connections: number; onLost(error?: unknown): void },
): Replica {
  const db = connect(address, { connections, longestSilenceSeconds })
  /** The history of the primary that the replica is known to follow: it has shown a mark that was written in it. */
  let followed: string | undefined
  let restsUntil = 0
  let isStopped = false
  let isLost = false

  async function isCurrent(): Promise<boolean> {
    if (performance.now() < restsUntil) return false
    try {
      const now = await readPosition(primary)
      if (now === undefined || now.history !== followed) void follow()
      else if (await Promise.race([hasReached(now.position), delay(longestMilliseconds, false)])) return true
    } catch {
      // Either does not answer; the request asks the primary, and fails there if it has to.
    }
    restsUntil = performance.now() + restMilliseconds
    return false
  }

  async function hasReached(position: string): Promise<boolean> {
    const until = performance.now() + patienceMilliseconds
    for (;;) {
      const [row] = await db.sql<{ is_reached: boolean }[]>`
        select coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
          >= ${position}::text::pg_lsn, false) as is_reached`
      if (row?.is_reached) return true
      if (performance.now() > until) return false
      await delay(pauseMilliseconds)
    }
  }

  let following: Promise<void> | undefined
  /** A position alone says nothing: a replica that was left behind by a failover has another history with the same positions. */
  function follow() {
    following ??= (async () => {
      const mark = randomUUID()
      const before = await readPosition(primary)
      await primary.sql`insert into replica_marks (mark) values (${mark})`
      for (let attempt = 0; attempt < mostLooks && !isStopped && followed !== before?.history; attempt++) {
        const found = await db.sql`select from replica_marks where mark = ${mark}`
        if (found.length > 0) followed = before?.history
        else await delay(lookMilliseconds)
      }
      // Others of an instance that was killed are old.
      await primary.sql`delete from replica_marks where mark = ${mark} or made_at < now() - interval '1 hour'`
      if (followed !== before?.history) throw new Error('it has not shown what was written')
      isLost = false
    })()
      .catch((error) => {
        if (!isLost && !isStopped) onLost(error)
        isLost = true
      })
      .finally(() => {
        following = undefined
      })
    return following
  }
  void follow()
  return {
    db,
    isCurrent,
    stop() {
      isStopped = true
      return db.end()
    },
  }
}

/** The history of a primary, and how far it has written it. */
async function readPosition(primary: Database) {
  const [row] = await primary.run<{ history: string; position: string }>(
    `select ${epoch} as history,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as position`,
    [],
  )
  return row
}
