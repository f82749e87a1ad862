import { setTimeout as delay } from 'node:timers/promises'
import { StartFailure } from '../../start-failure.ts'
import { commandLine, identifyProcess, isRunning } from '../process-identity.ts'
import { disownPostmasterFile, readPostmasterFile } from './postmaster-file.ts'
import type { Log } from './supervisor.ts'

const patienceMilliseconds = 10_000

/** Stops a PostgreSQL that a killed service left running on this data directory. */
export async function endOrphan(
  dataDirectory: string,
  socketDirectory: string | undefined,
  log: Log,
): Promise<void> {
  const pid = (await readPostmasterFile(dataDirectory))?.pid
  if (pid === undefined) return
  // The pid may have been reused, but only that PostgreSQL was started with this socket directory.
  if (socketDirectory !== undefined && (await commandLine(pid)).includes(socketDirectory)) {
    log.warn({ pid }, 'Ending the PostgreSQL that an earlier run left behind')
    await end(pid)
  }
  await disownPostmasterFile(dataDirectory)
}

async function end(pid: number): Promise<void> {
  const identity = await identifyProcess(pid)
  if (identity === undefined) return
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal)
    if (await hasEnded(identity)) return
  }
  throw new StartFailure(`PostgreSQL of an earlier run (process ${pid}) does not end.`)
}

async function hasEnded(identity: string): Promise<boolean> {
  const deadline = performance.now() + patienceMilliseconds
  while (performance.now() < deadline) {
    if (!(await isRunning(identity))) return true
    await delay(10)
  }
  return false
}
