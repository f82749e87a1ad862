import { setTimeout as delay } from 'node:timers/promises'
import { StartFailure } from '../../start-failure.ts'
import type { Postmaster } from './postmaster.ts'

const firstPauseMilliseconds = 100
const longestPauseMilliseconds = 5_000
const oldBackendsMilliseconds = 30_000
const fastShutdownMilliseconds = 10_000

export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface Supervisor {
  readonly pid: number | undefined
  stop(): Promise<void>
}

/** Starts PostgreSQL and restarts it whenever it ends, until `stop` is called. */
export async function supervise(launch: () => Postmaster, log: Log): Promise<Supervisor> {
  const stopping = new AbortController()
  let postmaster = await launchFirst(launch)
  const supervision = keepRunning()

  async function keepRunning(): Promise<void> {
    let pauseMilliseconds = firstPauseMilliseconds
    let lastWords = await postmaster.ended
    while (!stopping.signal.aborted) {
      log.error({ lastWords, pauseMilliseconds }, 'PostgreSQL ended; starting it again')
      await delay(pauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      const isBack = await relaunch()
      if (isBack) log.info({ pid: postmaster.pid }, 'PostgreSQL is back')
      pauseMilliseconds = isBack
        ? firstPauseMilliseconds
        : Math.min(pauseMilliseconds * 2, longestPauseMilliseconds)
      lastWords = await postmaster.ended
    }
  }

  async function relaunch(): Promise<boolean> {
    try {
      postmaster = launch()
      return await postmaster.ready
    } catch (error) {
      log.error({ error }, 'PostgreSQL could not be started')
      return false
    }
  }

  return {
    get pid() {
      return postmaster.pid
    },
    async stop() {
      stopping.abort()
      postmaster.signal('SIGINT')
      const fallback = setTimeout(() => postmaster.signal('SIGQUIT'), fastShutdownMilliseconds)
      await supervision
      clearTimeout(fallback)
    },
  }
}

async function launchFirst(launch: () => Postmaster): Promise<Postmaster> {
  const deadline = performance.now() + oldBackendsMilliseconds
  for (;;) {
    const postmaster = launch()
    if (await postmaster.ready) return postmaster
    const lastWords = await postmaster.ended
    // Backends of a killed PostgreSQL finish their statement before they end.
    const oldBackendsRemain = lastWords.includes('is still in use')
    if (!oldBackendsRemain || performance.now() > deadline) {
      throw new StartFailure(`PostgreSQL did not start: ${lastWords}`)
    }
    await delay(firstPauseMilliseconds)
  }
}
