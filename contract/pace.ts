// Limits how fast large responses are sent, so that a client that requests them constantly gets only a share of the service.

interface Limits {
  bytesPerSecond: number
  /** What a client gets at once after a pause. */
  atOnce: number
  now(): number
}

/** Resolves when the next bytes of a large response may be prepared and sent. */
export type Pace = (reader: string, bytes: number) => Promise<void>

export function paceOf({ bytesPerSecond, atOnce, now }: Limits): Pace {
  const perMillisecond = bytesPerSecond / 1000
  /** When each client may get `atOnce` again. */
  const restedAt = new Map<string, number>()
  const nextTurn = loopTurns()

  return async (reader, bytes) => {
    const from = Math.max(now(), restedAt.get(reader) ?? 0)
    if (restedAt.size > 1000) for (const [other, at] of restedAt) if (at <= now()) restedAt.delete(other)
    restedAt.set(reader, from + bytes / perMillisecond)
    const milliseconds = from + (bytes - atOnce) / perMillisecond - now()
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
    await nextTurn()
  }
}

/** Lets one waiting response continue in each turn of the event loop, so that other requests come in between. */
function loopTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}
