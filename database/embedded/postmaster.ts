import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { readPostmasterFile } from './postmaster-file.ts'
import type { StartProgram } from './programs.ts'
import type { Log } from './supervisor.ts'

const keptLines = 10
const pollMilliseconds = 10

/** One run of PostgreSQL's main process. */
export interface Postmaster {
  readonly pid: number | undefined
  /** True as soon as it accepts connections, false if it ended before that. */
  readonly ready: Promise<boolean>
  /** Its last lines of output, once it and all its backends have ended. */
  readonly ended: Promise<string>
  signal(name: NodeJS.Signals): void
}

export function launchPostmaster(
  startProgram: StartProgram,
  dataDirectory: string,
  settings: Record<string, string>,
  log: Log,
): Postmaster {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = startProgram('postgres', dataDirectory, options)
  const lastLines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.debug({ pid: child.pid }, line)
    lastLines.push(line)
    if (lastLines.length > keptLines) lastLines.shift()
  })

  let hasEnded = false
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Unlike 'exit', 'close' waits for the backends, which hold the shared memory that the next PostgreSQL needs.
    child.once('close', (code, signal) => resolve([...lastLines, `ended with ${signal ?? code}`].join('\n')))
  }).finally(() => {
    hasEnded = true
  })

  async function becomesReady(): Promise<boolean> {
    while (!hasEnded) {
      const file = await readPostmasterFile(dataDirectory).catch(() => undefined)
      if (file?.isReady && file.pid === child.pid) return true
      await delay(pollMilliseconds)
    }
    return false
  }

  return { pid: child.pid, ready: becomesReady(), ended, signal: (name) => child.kill(name) }
}
