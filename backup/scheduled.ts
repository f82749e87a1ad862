// The backups that the service makes by itself, as a job on one instance at a time.
import { access, constants, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#database/connect.ts'
import { errorCode } from '#database/unless-missing.ts'
import { StartFailure } from '#start-failure.ts'
import type { Log } from '../log.ts'
import { withSnapshot } from './snapshot.ts'
import { writeBackup } from './writing.ts'

interface Schedule {
  directory: string
  everyHours: number
  /** How many backups are kept. */
  keep: number
}

/** The job; refuses a directory that cannot be used. */
export async function scheduledBackups(schedule: Schedule, keys: () => readonly string[]) {
  await prepareDirectory(schedule.directory)
  return {
    backUp: {
      work: (db: Database, task: Task) => backUp(db, schedule, { ...task, keys: keys() }),
      everySeconds: schedule.everyHours * 3_600,
      limitSeconds: 12 * 3_600,
    },
  }
}

interface Task {
  log: Log
  signal: AbortSignal
}

/** The time in it is UTC, so the names are in the order of the backups. */
const name = /^cardinal-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/

/** Makes a backup, and then deletes the oldest ones that are too many. */
async function backUp(
  db: Database,
  { directory, keep }: Schedule,
  { keys, log, signal }: Task & { keys: readonly string[] },
): Promise<void> {
  await prepareDirectory(directory)
  await removeUnfinished(directory)
  const written = await withSnapshot(db, { keys, signal, onProgress() {} }, async (snapshot) => {
    const time = snapshot.about.taken_at.slice(0, 19).replaceAll(':', '-')
    const file = path.join(directory, `cardinal-${time}Z.backup`)
    return { file, bytes: await writeBackup(file, snapshot) }
  })
  const found = (await readdir(directory)).filter((one) => name.test(one)).sort()
  const deleted = found.slice(0, -keep)
  for (const old of deleted) await rm(path.join(directory, old), { force: true })
  log.info({ ...written, deleted: deleted.length }, 'backed up')
}

async function prepareDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await access(directory, constants.W_OK)
  } catch (error) {
    throw new StartFailure(
      `CARDINAL_BACKUP_DIR: ${directory} cannot be written by the user that Cardinal runs as (${errorCode(error)}).`,
    )
  }
}

/** What instances that were killed have left. */
async function removeUnfinished(directory: string): Promise<void> {
  const isUnfinished = (found: string) =>
    found.endsWith('.partial') && name.test(path.basename(found, '.partial'))
  for (const found of (await readdir(directory)).filter(isUnfinished))
    await rm(path.join(directory, found), { force: true })
}
