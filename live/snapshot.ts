// PostgreSQL's snapshots name a state of the database exactly: `xmin:xmax:running,…` (docs/architecture.md, Live updates).
import { epoch } from '#database/epoch.ts'

/** The state that a statement sees, as a reader is told it: the epoch and PostgreSQL's snapshot. */
export const currentCursor = `${epoch} || '/' || pg_current_snapshot()`

export interface Snapshot {
  /** A snapshot says nothing about the transactions of another epoch. */
  epoch: string
  /** As PostgreSQL reads it. */
  text: string
  /** All transactions before this one had ended. */
  xmin: bigint
  /** None from this one on had begun. */
  xmax: bigint
  running: ReadonlySet<bigint>
}

/** Undefined for what is no cursor, such as a forged Last-Event-ID. */
export function parseCursor(cursor: string): Snapshot | undefined {
  const parts = /^(\w{1,16})\/((\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?))$/.exec(cursor)
  if (!parts) return undefined
  const [, epoch = '', text = '', xmin = '', xmax = '', running = ''] = parts
  // PostgreSQL reads no number from 2^63 on.
  const isOrdered = BigInt(xmin) > 0n && BigInt(xmin) <= BigInt(xmax) && BigInt(xmax) < 2n ** 63n
  const list = running === '' ? [] : running.split(',').map(BigInt)
  const areWithin = list.every(
    (xid, index) => xid >= BigInt(xmin) && xid < BigInt(xmax) && xid > (list[index - 1] ?? 0n),
  )
  if (!isOrdered || !areWithin) return undefined
  return { epoch, text, xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(list) }
}

/** Whether what a transaction wrote was to be seen in the snapshot. */
export function isVisible({ xmin, xmax, running }: Snapshot, xid: bigint): boolean {
  return xid < xmin || (xid < xmax && !running.has(xid))
}
