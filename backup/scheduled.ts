// The backups that the service makes by itself, as a job on one instance at a time.
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#database/connect.ts'
import type { Log } from '../log.ts'
import { withSnapshot } from './snapshot.ts'
import { writeBackup } from './writing.ts'

interface Task {
  keys: readonly string[]
  log: Log
  signal: AbortSignal
}

/** The time in it is UTC, so the names are in the order of the backups. */
const name = /^cardinal-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/

/** Makes a backup, and then deletes the oldest ones that are too many. */
export async function backUp(
  db: Database,
  { directory, keep }: { directory: string; keep: number },
  { keys, log, signal }: Task,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await removeUnfinished(directory)
  const written = await withSnapshot(db, { keys, signal, onProgress() {} }, async (snapshot) => {
    const file = path.join(
      directory,
      `cardinal-${snapshot.about.taken_at.slice(0, 19).replaceAll(':', '-')}Z.backup`,
    )
    return { file, bytes: await writeBackup(file, snapshot) }
  })
  const deleted = (await readdir(directory))
    .filter((found) => name.test(found))
    .sort()
    .slice(0, -keep)
  for (const old of deleted) await rm(path.join(directory, old), { force: true })
  log.info({ ...written, deleted: deleted.length }, 'backed up')
}

/** What instances that were killed have left. */
async function removeUnfinished(directory: string): Promise<void> {
  const isUnfinished = (found: string) =>
    found.endsWith('.partial') && name.test(path.basename(found, '.partial'))
  for (const found of (await readdir(directory)).filter(isUnfinished))
    await rm(path.join(directory, found), { force: true })
}
