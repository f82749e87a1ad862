import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { StartFailure } from '#start-failure.ts'
import { codeOf, type Database, lockNotAvailable, type Queries } from './connect.ts'
import type { Patience } from './connect-patiently.ts'
import { isUnreachable } from './unreachable.ts'

interface Options extends Patience {
  folder?: string
  /** Leaves out all other files. */
  only?: readonly string[]
}

const ourFolder = path.join(import.meta.dirname, 'migrations')
/** An arbitrary key for the advisory lock. */
const advisoryKey = 4_242_001
/** Short, because every statement on the table queues behind a migration that waits for its lock. */
const lockTimeoutMilliseconds = 1_000
const longestPauseMilliseconds = 10_000
const silentMilliseconds = 1_500

/**
 * Applies the numbered files that the database does not have yet, each in its own transaction. Several instances may start at once;
 * each file is applied by one of them. Returns the files that this instance applied.
 */
export async function migrate(
  db: Database,
  { folder = ourFolder, only, ...patience }: Options = {},
): Promise<string[]> {
  const files = await filesIn(folder)
  const done = await patiently('The list of applied migrations', () => alone(db, readLedger), patience)
  const newer = newestUnknown(done, files)
  if (newer !== undefined)
    throw new StartFailure(
      `The database is newer than this version of Cardinal (it has ${newer}); start the newer version.`,
    )
  const applied: string[] = []
  for (const name of files.filter((file) => !done.includes(file) && (only?.includes(file) ?? true))) {
    const apply = () => alone(db, (queries) => applyOnce(db, queries, path.join(folder, name)))
    if (await patiently(`Migration ${name}`, apply, patience)) applied.push(name)
  }
  return applied
}

/** The newest of the migrations that this version of Cardinal does not have. */
export const newerMigration = async (applied: readonly string[]): Promise<string | undefined> =>
  newestUnknown(applied, await filesIn(ourFolder))

const newestUnknown = (applied: readonly string[], files: readonly string[]): string | undefined =>
  applied
    .filter((name) => !files.includes(name))
    .sort()
    .at(-1)

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d{4}_\w+\.(?:sql|ts)$/.test(name)).sort()

/** Another instance has the lock. It is retried rather than waited for, because `create index concurrently` waits for open transactions. */
class OthersTurn extends Error {}

/** Runs a transaction under the lock that only one instance can hold. */
function alone<Result>(db: Database, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    await sql`set local statement_timeout = 0`
    // A migration in TypeScript may pause between its statements.
    await sql`set local idle_in_transaction_session_timeout = 0`
    await sql.unsafe(`set local lock_timeout = ${lockTimeoutMilliseconds}`)
    const [lock] = await sql<
      { is_ours: boolean }[]
    >`select pg_try_advisory_xact_lock(${advisoryKey}) as is_ours`
    if (!lock?.is_ours) throw new OthersTurn()
    return work(queries)
  })
}

async function readLedger({ sql }: Queries): Promise<string[]> {
  await sql`
    create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  return (await sql<{ name: string }[]>`select name from schema_migrations`).map(({ name }) => name)
}

/** False if another instance was faster. */
async function applyOnce(db: Database, queries: Queries, file: string): Promise<boolean> {
  const { sql } = queries
  const name = path.basename(file)
  if ((await sql`select from schema_migrations where name = ${name}`).length > 0) return false
  try {
    await apply(db, queries, file)
  } catch (error) {
    if (isUnreachable(error) || retriable.has(codeOf(error))) throw error
    // Without PostgreSQL's detail, which may quote user data.
    throw new StartFailure(
      `Migration ${name} failed: ${(error as Error).message}. The migrations before it are applied. Fix the cause and start again; to return to the version before, restore the backup.`,
      { cause: error },
    )
  }
  await sql`insert into schema_migrations (name) values (${name})`
  return true
}

const retriable = new Set([lockNotAvailable, '40P01', '40001'])

const withoutTransaction = '-- without a transaction'

/** Runs an SQL file, or the default export of a module in the same transaction. */
async function apply(db: Database, queries: Queries, file: string): Promise<void> {
  if (file.endsWith('.ts')) {
    const { default: work } = (await import(pathToFileURL(file).href)) as {
      default(queries: Queries): Promise<void>
    }
    return work(queries)
  }
  const text = await readFile(file, 'utf8')
  if (!text.startsWith(withoutTransaction)) return void (await queries.sql.unsafe(text))
  // Closes the portal of the last select, because a concurrent index build would wait for its snapshot.
  await queries.sql.unsafe('select')
  // On a second connection, while the transaction keeps other instances out. It has no timeouts, since it blocks no reader or writer.
  const beside = db.beside({
    connections: 1,
    longestStatementSeconds: 0,
    longestLockWaitSeconds: 0,
    connectSeconds: 30,
  })
  try {
    for (const statement of text.split(/;\s*$/m)) await beside.sql.unsafe(statement)
  } finally {
    await beside.end()
  }
}

/** Retries without limit while another instance migrates, and for ten minutes while other transactions hold the needed locks. */
async function patiently<Result>(
  what: string,
  work: () => Promise<Result>,
  { seconds = 600, signal, onWait }: Patience,
): Promise<Result> {
  const startedAt = performance.now()
  let tell = onWait
  for (let pause = 100; ; pause = Math.min(pause * 2, longestPauseMilliseconds)) {
    try {
      return await work()
    } catch (error) {
      const isOthersTurn = error instanceof OthersTurn
      if (!isOthersTurn && !retriable.has(codeOf(error))) throw error
      if (!isOthersTurn && performance.now() - startedAt > seconds * 1000)
        throw new StartFailure(
          `${what} has waited ${seconds} seconds for tables that other transactions hold. The migrations before it are applied. End those transactions (select pid, xact_start, query from pg_stat_activity order by xact_start) and start again.`,
        )
      if (performance.now() - startedAt > silentMilliseconds) {
        tell?.(
          isOthersTurn
            ? 'Another instance is migrating the database; waiting for it.'
            : `${what} waits for tables that other transactions hold.`,
        )
        tell = undefined
      }
    }
    await delay(pause, undefined, { ...(signal && { signal }) }).catch(() => {})
    signal?.throwIfAborted()
  }
}
