// Waits for running services and opens their databases; the benchmarks use it too, which run outside of tests.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type Database } from '#database/connect.ts'
import { dataDirectoryIn } from '#database/embedded/cluster.ts'
import { readPostmasterFile } from '#database/embedded/postmaster-file.ts'
import { addressOfRunning } from '#database/embedded.ts'
import { identifyProcess } from '#database/process-identity.ts'

/** The database of the service that runs on a data directory. */
export async function withDatabaseOf<Result>(directory: string, work: (db: Database) => Promise<Result>) {
  const address = await addressOfRunning(directory)
  assert.ok(address)
  const db = connect(address, { connections: 1 })
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** PostgreSQL's main process on a data directory, if it is running. */
export async function postgresOn(directory: string): Promise<number | undefined> {
  const pid = (await readPostmasterFile(dataDirectoryIn(directory)))?.pid
  return pid !== undefined && (await identifyProcess(pid)) !== undefined ? pid : undefined
}

/** Awaits a promise with a time limit. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  const tooLate = new AbortController()
  const timer = delay(milliseconds, undefined, { signal: tooLate.signal }).then(() => {
    throw new Error(`still waiting after ${milliseconds} milliseconds`)
  })
  try {
    return await Promise.race([promise, timer])
  } finally {
    tooLate.abort()
    timer.catch(() => {})
  }
}

/** Retries until it passes, after longer and longer waits: looking takes time from what it waits for. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  timeoutMilliseconds = 30_000,
): Promise<Result> {
  const deadline = performance.now() + timeoutMilliseconds
  for (let wait = 20; ; wait = Math.min(wait * 1.5, 200)) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(wait)
    }
  }
}
