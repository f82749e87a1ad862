import { setTimeout as delay } from 'node:timers/promises'

const longestPauseMilliseconds = 20

/**
 * Reads a thing once for concurrent callers. A caller that comes during a read waits for the next one, since the running read may
 * be too old. After each read comes a pause twice as long, so that a thing that changes constantly does not use all the time.
 */
export function readTogether<Result>() {
  type Reading = PromiseWithResolvers<Result>
  const running = new Map<string, { next?: Reading }>()

  async function readInTurn(key: string, first: Reading, read: () => Promise<Result>) {
    const turns: { next?: Reading } = { next: first }
    running.set(key, turns)
    for (let reading = turns.next; reading; reading = turns.next) {
      delete turns.next
      const startedAt = performance.now()
      await read().then(reading.resolve, reading.reject)
      await delay(Math.min(longestPauseMilliseconds, 2 * (performance.now() - startedAt)))
    }
    running.delete(key)
  }

  return (key: string, read: () => Promise<Result>): Promise<Result> => {
    const present = running.get(key)
    const mine = present?.next ?? Promise.withResolvers<Result>()
    if (present) present.next = mine
    else void readInTurn(key, mine, read)
    return mine.promise
  }
}
