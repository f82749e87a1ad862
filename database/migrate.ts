import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { StartFailure } from '#start-failure.ts'
import { codeOf, type Database, uniqueViolation } from './connect.ts'

/** The table, or the type of its rows, came into being at the same moment. */
const collisions = [uniqueViolation, '42710', '42P07']

const folder = path.join(import.meta.dirname, 'migrations')

/** Brings the database forward by the numbered files it has not seen; several instances may start at once. */
export async function migrate(db: Database): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  await createLedger(db)
  return db.transaction(async ({ sql }) => {
    await sql`set local statement_timeout = 0`
    await sql`set local lock_timeout = 0`
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
      await sql.unsafe(await readFile(path.join(folder, name), 'utf8'))
      await sql`insert into schema_migrations (name) values (${name})`
    }
    return missing
  })
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
