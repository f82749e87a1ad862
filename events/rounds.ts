// Works on projects that have new events, in rounds, so that many events of a project are worked on together.
import { setTimeout as delay } from 'node:timers/promises'

interface Options {
  /** Events within this time are worked on together. */
  gatherMilliseconds: number
  /** From one round to the next while there is much to do. */
  restMilliseconds: number
  projectsAtOnce: number
  /** Returns the projects that are not finished; the next round follows at once if there are any. */
  work(projectIds: number[]): Promise<readonly number[]>
  onFailure(error: unknown): void
}

export interface Rounds {
  /** Called after each commit with the projects that have new events. */
  announce(projectIds: readonly number[]): void
  stop(): Promise<void>
}

const retryMilliseconds = 1000

export function startRounds(options: Options): Rounds {
  const { gatherMilliseconds, restMilliseconds, projectsAtOnce, work, onFailure } = options
  const waiting = new Set<number>()
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const pause = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  /** When the next round may begin. */
  let nextAt = 0

  async function run() {
    while (waiting.size > 0) {
      await pause(Math.max(gatherMilliseconds, nextAt - performance.now()))
      nextAt = performance.now() + restMilliseconds
      const round = [...waiting].sort((a, b) => a - b)
      waiting.clear()
      for (let at = 0; at < round.length && !stopping.signal.aborted; at += projectsAtOnce)
        await workOn(round.slice(at, at + projectsAtOnce))
      if (stopping.signal.aborted) return
    }
  }

  async function workOn(ids: number[]) {
    try {
      const unfinished = await work(ids)
      for (const id of unfinished) waiting.add(id)
      if (unfinished.length > 0) nextAt = 0
    } catch (error) {
      onFailure(error)
      for (const id of ids) waiting.add(id)
      await pause(retryMilliseconds)
    }
  }

  return {
    announce(projectIds) {
      for (const id of projectIds) waiting.add(id)
      running ??= run().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
