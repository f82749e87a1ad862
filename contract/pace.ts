// How fast large answers are sent: a reader who asks for them all the time gets a share of the service, never all of it.

interface Limits {
  bytesPerSecond: number
  /** What a reader who has not asked for a while gets at once. */
  atOnce: number
  now(): number
}

/** Resolves when the next bytes of a large answer may be made ready and sent. */
export type Pace = (reader: string, bytes: number) => Promise<void>

export function paceOf({ bytesPerSecond, atOnce, now }: Limits): Pace {
  const perMillisecond = bytesPerSecond / 1000
  /** When each reader may have as much as `atOnce` again. */
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

/** Lets one of those who wait go on in each turn of the event loop: other requests come between, however many wait. */
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
