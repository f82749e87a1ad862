// The commands that copy a whole installation: to a file and back, or to a server.
import { access, statfs } from 'node:fs/promises'
import path from 'node:path'
import { recordEntry } from '#audit/record.ts'
import { requireSame } from '#backup/comparing.ts'
import { load, requireKnown } from '#backup/loading.ts'
import { withBackup } from '#backup/reading.ts'
import { withSnapshot } from '#backup/snapshot.ts'
import { writeBackup } from '#backup/writing.ts'
import { type Config, readConfig } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { dataDirectoryIn } from '#database/embedded/cluster.ts'
import { replaceDatabase } from '#database/embedded/replacement.ts'
import { addressOfRunning, startEmbedded } from '#database/embedded.ts'
import { claimDirectory } from '#database/owner.ts'
import { addKeysOfBackup, keyFileIn, keysForBackup } from '#identity/secret-keys.ts'
import { quietLog } from '../log.ts'
import { originOf } from './changing.ts'
import { CommandProblem } from './command-problem.ts'
import { openDatabase } from './open-database.ts'
import { withProgress } from './progress.ts'
import { withDatabase, withDatabaseAsItIs } from './with-database.ts'

export async function backUp(name: string) {
  const config = readConfig(process.env)
  const file = path.resolve(name)
  const signal = untilStopped()
  const bytes = await withProgress((step) =>
    withDatabaseAsItIs(
      config,
      (db) =>
        withSnapshot(
          db,
          { keys: keysForBackup(config), signal, onProgress: step('Backing up') },
          (snapshot) => writeBackup(file, snapshot),
        ),
      { isForReading: true },
    ),
  )
  console.log(`Backed up to ${file} (${inMegabytes(bytes)}).`)
}

export async function restore(name: string) {
  const config = readConfig(process.env)
  const file = path.resolve(name)
  const signal = untilStopped()
  if (config.databaseUrl === undefined) await requireStopped(config.dataDirectory)
  const about = await withProgress((step) =>
    withBackup(
      file,
      { signal, onCheck: step('Checking'), onProgress: step('Restoring') },
      async (snapshot) => {
        const { about } = snapshot
        await requireKnown(about)
        const fill = async (db: Database) => {
          await load(db, snapshot, async ({ sql }) => {
            // Otherwise sessions that were ended after the backup would be valid again.
            await sql`delete from sessions`
            signal.throwIfAborted()
          })
          await addKeysOfBackup(config, about.keys)
          const details = { file, taken_at: about.taken_at }
          await recordEntry(db, originOf('restore', config), { kind: 'command.run', details })
        }
        if (config.databaseUrl === undefined) await replaceEmbedded(config, about.bytes, fill)
        else await withServer(config, fill)
        return about
      },
    ),
  )
  console.log(`Restored the backup of ${about.taken_at}. Everyone has to sign in again.`)
}

export async function exportTo(url: string) {
  const config = { ...readConfig(process.env), databaseUrl: undefined }
  const target = readConfig({ ...process.env, DATABASE_URL: url })
  const { dataDirectory } = config
  const signal = untilStopped()
  await access(dataDirectoryIn(dataDirectory)).catch(() => {
    throw new CommandProblem(
      `There is no embedded database in ${dataDirectory}; CARDINAL_DATA_DIR says where it is.`,
    )
  })
  await requireStopped(dataDirectory)
  const rows = await withProgress((step) =>
    withServer(target, (server) =>
      withDatabase(config, (db) =>
        withSnapshot(db, { keys: [], signal, onProgress: step('Copying') }, (snapshot, original) =>
          load(server, snapshot, async (copy) => {
            await requireSame(original, copy, step('Comparing'))
            await recordEntry(copy, originOf('export-to', config), { kind: 'command.run' })
            signal.throwIfAborted()
          }),
        ),
      ),
    ),
  )
  console.log(
    `Copied ${rows.toLocaleString('en')} rows; the row counts and checksums of all tables are the same. Start the service with this DATABASE_URL from now on.`,
  )
  if (config.secretKeys === undefined)
    console.log(`Set CARDINAL_SECRET_KEY to the first line of ${keyFileIn(dataDirectory)}.`)
  console.log(`The embedded database in ${dataDirectory} is unchanged. Delete it when you no longer need it.`)
}

async function replaceEmbedded(
  { dataDirectory }: Config,
  bytes: number,
  fill: (db: Database) => Promise<unknown>,
) {
  const claim = await claimDirectory(dataDirectory)
  try {
    await requireSpace(dataDirectory, bytes)
    const postgres = await startEmbedded({ directory: dataDirectory, log: quietLog })
    await replaceDatabase(postgres.address, fill).finally(() => postgres.stop())
  } finally {
    await claim.release()
  }
}

async function withServer<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
  const onWait = (sentence: string) => console.error(sentence)
  const { db, close } = await openDatabase(config, quietLog, { onWait })
  return work(db).finally(close)
}

async function requireStopped(dataDirectory: string) {
  if (await addressOfRunning(dataDirectory))
    throw new CommandProblem(
      `Cardinal is running on ${dataDirectory}. Stop it first: changes made in the meantime would be lost.`,
    )
}

async function requireSpace(dataDirectory: string, bytes: number) {
  const { bavail, bsize } = await statfs(dataDirectory)
  if (bavail * bsize < bytes)
    throw new CommandProblem(
      `The backup needs about ${inMegabytes(bytes)}, and ${dataDirectory} has ${inMegabytes(bavail * bsize)} free. Nothing was changed.`,
    )
}

/** Aborted by Ctrl-C and the like, so that the command can tidy up. Another one a second later ends the process at once. */
function untilStopped(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const stop = () => {
      stopped.abort(new CommandProblem('Stopped. Nothing was changed.'))
      // Under npm, one Ctrl-C arrives twice.
      setTimeout(() => process.off(signal, stop), 1_000).unref()
    }
    process.on(signal, stop)
  }
  return stopped.signal
}

const inMegabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 })} MB`
