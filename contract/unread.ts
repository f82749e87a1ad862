// Limits the memory of responses that clients have not read yet, per client and in total.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Pace, paceOf } from './pace.ts'

interface UnreadLimits {
  bytesPerUser: number
  bytes: number
  /** A connection that takes none of what is sent for this long is closed. */
  timeoutSeconds: number
}

/** Responses of this size are never refused, but they count. */
export const isSmall = (bytes: number) => bytes <= 64 * 1024

export type Unread = ReturnType<typeof unreadAnswers>

interface Holding {
  /** Undefined once nothing of it is held (docs/architecture.md, requests leave nothing behind). */
  raw: ServerResponse | undefined
  reader: string
  bytes: number
  /** The body in memory, which several readers may share. */
  body: object
  progress: Progress
}

/** How many bytes of a connection the system has taken, and when it last took some. */
interface Progress {
  taken: number | undefined
  at: number
}

/** Nothing public says how much of one write has been taken; Node's own timeout of sockets reads this, too. */
interface Handle {
  bytesWritten: number
  writeQueueSize: number
}

function takenBy(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}

/** Closes the connection of a client that does not read. With a reset, since the system would keep what it has taken for minutes. */
export function cutOff(raw: ServerResponse) {
  raw.req.socket.resetAndDestroy()
  raw.destroy()
}

export function unreadAnswers(limits: UnreadLimits) {
  /** Ordered by when they began to wait. */
  const holdings = new Set<Holding>()
  const holdingOf = new WeakMap<ServerResponse, Holding>()
  const watched = new WeakSet<ServerResponse>()
  const byReader = new Map<string, number>()
  /** Answers that are being made. */
  const reservations = new WeakMap<ServerResponse, { reader: string; bytes: number }>()
  const reservedByReader = new Map<string, number>()
  const byBody = new WeakMap<object, { bytes: number; answers: number }>()
  let total = 0
  /** Runs while something is unread. */
  let checks: NodeJS.Timeout | undefined
  const paces = [
    // So that one large response does not take a whole core in one go.
    { bytesPerSecond: 32_000_000, atOnce: 256_000 },
    { bytesPerSecond: 8_000_000, atOnce: 32_000_000 },
  ].map((limits) => paceOf({ ...limits, now: () => performance.now() }))
  const pace: Pace = async (reader, bytes) => {
    for (const each of paces) await each(reader, bytes)
  }

  function count({ reader, bytes, body }: Holding, sign: 1 | -1) {
    add(byReader, reader, sign * bytes)
    const held = byBody.get(body) ?? { bytes, answers: 0 }
    held.answers += sign
    if (sign === 1 && held.answers === 1) total += held.bytes
    if (held.answers > 0) byBody.set(body, held)
    else if (byBody.delete(body)) total -= held.bytes
  }

  const hasRoom = (reader: string, bytes: number) =>
    isSmall(bytes) ||
    (byReader.get(reader) ?? 0) + (reservedByReader.get(reader) ?? 0) + bytes <= limits.bytesPerUser

  /**
   * Reserves room for an answer that is being made; false if the reader has none. Otherwise a reader with many requests would let answers
   * be made that it cannot be sent.
   */
  function reserve(raw: ServerResponse, reader: string, bytes: number): boolean {
    if (isSmall(bytes)) return true
    const hasNothing = !byReader.has(reader) && !reservedByReader.has(reader)
    if (!hasNothing && !hasRoom(reader, bytes)) return false
    if (raw.closed) return true
    watch(raw)
    unreserve(raw)
    reservations.set(raw, { reader, bytes })
    add(reservedByReader, reader, bytes)
    return true
  }

  function unreserve(raw: ServerResponse) {
    const reserved = reservations.get(raw)
    if (!reserved) return
    reservations.delete(raw)
    add(reservedByReader, reserved.reader, -reserved.bytes)
  }

  function release(raw: ServerResponse) {
    unreserve(raw)
    const holding = holdingOf.get(raw)
    if (!holding) return
    count(holding, -1)
    forget(raw, holding)
  }

  function forget(raw: ServerResponse, holding: Holding) {
    holdings.delete(holding)
    holdingOf.delete(raw)
    holding.raw = undefined
    holding.body = holding
  }

  /** The reader who holds the most is cut off first, so that a few who take nothing do not end the downloads of one who is only slow. */
  function makeRoom(newest: ServerResponse) {
    while (total > limits.bytes) {
      const raw = oldestOfLargest(newest)
      if (raw === undefined) return
      const { socket } = raw.req
      // All that its connection waits for goes with it, and leaves room at once.
      for (const { raw: other } of [...holdings]) if (other?.req.socket === socket) release(other)
      cutOff(raw)
    }
  }

  /** Of the reader with the most bytes, the response that has waited longest. */
  function oldestOfLargest(newest: ServerResponse): ServerResponse | undefined {
    let found: { raw: ServerResponse; bytes: number } | undefined
    for (const { raw, reader } of holdings) {
      const bytes = byReader.get(reader) ?? 0
      const isOther = raw !== undefined && raw.req.socket !== newest.req.socket
      if (isOther && bytes > (found?.bytes ?? 0)) found = { raw, bytes }
    }
    return found?.raw
  }

  /** Not by the timeout of sockets, which starts again with each request, and once more if the queue of writes has changed. */
  function closeStalled() {
    const now = performance.now()
    for (const { raw, progress } of holdings) {
      if (!raw) continue
      const { socket } = raw.req
      const taken = takenBy(socket)
      const hasAll = socket.writableLength === 0
      if (hasAll || taken !== progress.taken) Object.assign(progress, { taken, at: now })
      else if (now - progress.at >= limits.timeoutSeconds * 1000) cutOff(raw)
    }
    if (holdings.size > 0) return
    clearInterval(checks)
    checks = undefined
  }

  function watch(raw: ServerResponse) {
    if (watched.has(raw)) return
    watched.add(raw)
    raw.once('close', () => release(raw))
  }

  /** Records how much of an answer is unread. */
  function hold(raw: ServerResponse, reader: string, bytes: number, body: object = raw) {
    const before = holdingOf.get(raw)
    if (before) count(before, -1)
    if (bytes === 0 || raw.closed) {
      if (before) forget(raw, before)
      return
    }
    watch(raw)
    checks ??= setInterval(closeStalled, Math.min(1000, limits.timeoutSeconds * 100)).unref()
    const progress = before?.progress ?? { taken: takenBy(raw.req.socket), at: performance.now() }
    const holding = Object.assign(before ?? {}, { raw, reader, bytes, body, progress })
    holdings.add(holding)
    holdingOf.set(raw, holding)
    count(holding, 1)
    makeRoom(raw)
  }

  return {
    retrySeconds: limits.timeoutSeconds,
    /** True if the reader has so much unread that further requests are refused. */
    isFull: (reader: string) => (byReader.get(reader) ?? 0) >= limits.bytesPerUser,
    hasRoom,
    reserve,
    unreserve,
    hold,
    pace,
    /** The total of all readers. */
    total: () => total,
  }
}

function add(sums: Map<string, number>, name: string, bytes: number) {
  const sum = (sums.get(name) ?? 0) + bytes
  if (sum > 0) sums.set(name, sum)
  else sums.delete(name)
}
