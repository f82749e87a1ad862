import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartFailure } from '#start-failure.ts'
import { codeOf, type Database, type Queries, uniqueViolation } from './connect.ts'

/** The table, or the type of its rows, came into being at the same moment. */
const collisions = [uniqueViolation, '42710', '42P07']

const folder = path.join(import.meta.dirname, 'migrations')

/** Brings the database forward by the numbered files it has not seen; several instances may start at once. */
export async function migrate(db: Database): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.(?:sql|ts)$/.test(name)).sort()
  await createLedger(db)
  return db.transaction(async (queries) => {
    const { sql } = queries
    await sql`set local statement_timeout = 0`
    await sql`set local lock_timeout = 0`
    // A migration in TypeScript works between its statements.
    await sql`set local idle_in_transaction_session_timeout = 0`
    await sql`lock table schema_migrations in exclusive mode`
    const applied = new Set(
      (await sql<{ name: string }[]>`select name from schema_migrations`).map((row) => row.name),
    )
    const newer = [...applied].filter((name) => !files.includes(name)).sort()
    if (newer.length > 0)
      throw new StartFailure(
        `The database is newer than this version of Cardinal (it has ${newer.at(-1)}); start the newer version.`,
      )
    const missing = files.filter((name) => !applied.has(name))
    for (const name of missing) {
      await apply(queries, path.join(folder, name))
      await sql`insert into schema_migrations (name) values (${name})`
    }
    return missing
  })
}

/** SQL where that is enough; else a module whose default export does the work, in the same transaction. */
async function apply(queries: Queries, file: string) {
  if (file.endsWith('.sql')) return queries.sql.unsafe(await readFile(file, 'utf8'))
  const { default: work } = (await import(pathToFileURL(file).href)) as {
    default(queries: Queries): Promise<void>
  }
  return work(queries)
}

/** Two instances that create it at the same moment collide on its name; the second try finds it. */
async function createLedger(db: Database) {
  const create = () => db.sql`
    create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  await create().catch((error) => {
    if (!collisions.includes(codeOf(error))) throw error
    return create()
  })
}
