// PostgreSQL's snapshots name a state of the database exactly: `xmin:xmax:running,…` (docs/architecture.md, Live updates).

export interface Snapshot {
  text: string
  /** All transactions before this one had ended. */
  xmin: bigint
  /** None from this one on had begun. */
  xmax: bigint
  running: ReadonlySet<bigint>
}

/** Undefined for what is no snapshot, such as a forged Last-Event-ID. */
export function parseSnapshot(text: string): Snapshot | undefined {
  const parts = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/.exec(text)
  if (!parts) return undefined
  const [, xmin = '', xmax = '', running = ''] = parts
  // PostgreSQL reads no number from 2^63 on.
  const isOrdered = BigInt(xmin) > 0n && BigInt(xmin) <= BigInt(xmax) && BigInt(xmax) < 2n ** 63n
  const list = running === '' ? [] : running.split(',').map(BigInt)
  const areWithin = list.every(
    (xid, index) => xid >= BigInt(xmin) && xid < BigInt(xmax) && xid > (list[index - 1] ?? 0n),
  )
  if (!isOrdered || !areWithin) return undefined
  return { text, xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(list) }
}

/** Whether what a transaction wrote was to be seen in the snapshot. */
export function isVisible({ xmin, xmax, running }: Snapshot, xid: bigint): boolean {
  return xid < xmin || (xid < xmax && !running.has(xid))
}
