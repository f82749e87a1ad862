// Kills the service, its PostgreSQL and both under load, and looks after each kill whether anything is missing or there twice.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { randomNumbers } from '../random.ts'
import { postgresOn, withDatabaseOf } from '../running.ts'
import { startLoad } from './load.ts'

/** A running service that can be killed with SIGKILL. */
export interface Victim {
  url: string
  kill(): Promise<unknown>
}

export type Target = 'service' | 'PostgreSQL' | 'both'

export interface Kill {
  target: Target
  /** Until the next write was acknowledged, the start of the service included. */
  recoveryMilliseconds: number
}

export interface StormReport {
  kills: Kill[]
  acknowledged: number
  /** Requests whose answer was lost, and those of them that had been done. */
  repeated: number
  doneUnheard: number
  /** Rollouts that had begun when their answer was lost. */
  cutRollouts: number
  slowestMilliseconds: number
}

/** PostgreSQL more often, because starting the service takes longest. */
const targets: Target[] = ['service', 'PostgreSQL', 'both', 'PostgreSQL']
/** How long the clients work before a kill. */
const calm = { least: 100, most: 500 }

/** Starts the service on an empty data directory, and again after each kill that hits it; kills at least so many times. */
export async function killAgainAndAgain(
  directory: string,
  count: number,
  start: () => Promise<Victim>,
): Promise<StormReport> {
  const random = randomNumbers('kills')
  let service = await start()
  const load = await withDatabaseOf(directory, (db) => startLoad(() => service.url, db))
  const kills: Kill[] = []
  // On a slow machine few rollouts run, so it goes on until one was hit.
  const isEnough = (number: number) => number >= count && (load.cutRollouts > 0 || number >= 3 * count)
  for (let number = 0; !isEnough(number); number++) {
    load.run()
    await delay(calm.least + random(calm.most - calm.least))
    const target = targets[number % targets.length] as Target
    const killedAt = performance.now()
    if (target !== 'service') await killPostgres(directory)
    if (target !== 'PostgreSQL') {
      await service.kill()
      service = await start()
    }
    const pausing = load.pause()
    await load.probe()
    kills.push({ target, recoveryMilliseconds: performance.now() - killedAt })
    await pausing
    await withDatabaseOf(directory, async (db) => {
      await load.assertNothingLost(db)
      await load.repeat()
      await load.assertExact(db)
    })
  }
  await withDatabaseOf(directory, (db) => load.stop(db))
  const { doneUnheard, cutRollouts, tally } = load
  return { kills, doneUnheard, cutRollouts, ...tally }
}

/** All its processes at once, as when the power fails. */
async function killPostgres(directory: string) {
  const pid = (await postgresOn(directory)) as number
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const one of [pid, ...children.trim().split(' ').map(Number)])
    try {
      process.kill(one, 'SIGKILL')
    } catch (error) {
      // A process may have ended by itself since.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
