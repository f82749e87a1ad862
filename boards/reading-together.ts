import { setTimeout as delay } from 'node:timers/promises'

const longestPauseMilliseconds = 20

/**
 * Reads a thing once for concurrent callers. A caller shares the running read if that began after its request arrived (`since`); else it
 * waits for the next one, since the running read may be too old. After each read comes a pause twice as long, so that a thing that changes
 * constantly does not use all the time.
 */
export function readTogether<Result>() {
  type Reading = PromiseWithResolvers<Result>
  interface Turns {
    present?: { promise: Promise<Result>; startedAt: number }
    next?: Reading
  }
  const running = new Map<string, Turns>()

  async function readInTurn(key: string, first: Reading, read: () => Promise<Result>) {
    const turns: Turns = { next: first }
    running.set(key, turns)
    for (let reading = turns.next; reading; reading = turns.next) {
      delete turns.next
      const startedAt = performance.now()
      turns.present = { promise: reading.promise, startedAt }
      await read().then(reading.resolve, reading.reject)
      delete turns.present
      await delay(Math.min(longestPauseMilliseconds, 2 * (performance.now() - startedAt)))
    }
    running.delete(key)
  }

  return (key: string, since: number, read: () => Promise<Result>): Promise<Result> => {
    const turns = running.get(key)
    if (turns?.present && turns.present.startedAt >= since) return turns.present.promise
    const mine = turns?.next ?? Promise.withResolvers<Result>()
    if (turns) turns.next = mine
    else void readInTurn(key, mine, read)
    return mine.promise
  }
}
