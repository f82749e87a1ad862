// Everything that an installation holds, as it was at one moment. It comes from a database (here) or from a file (reading.ts), and goes
// to a file (writing.ts) or into another database (loading.ts).
import type { Database, Queries } from '#database/connect.ts'
import { type CopiedTable, copyOut, prepareCopy, quoted } from '#database/copy.ts'
import { StartFailure } from '#start-failure.ts'

export interface Snapshot {
  about: About
  /** The rows of a table have to be read before the next table. */
  tables(): AsyncIterable<TableRows>
  /** Known after the tables. */
  sequences(): Promise<Sequence[]>
}

export interface About {
  taken_at: string
  /** What the database took on its disk. */
  bytes: number
  /** The schema: every migration that was applied. */
  migrations: string[]
  /** The keys of encrypted secrets, if they are in a file of the data directory. */
  keys: readonly string[]
}

export interface TableRows extends CopiedTable {
  rows: AsyncIterable<Buffer>
}

export interface Sequence {
  name: string
  last_value: string
  is_called: boolean
}

interface Options {
  keys: readonly string[]
  signal: AbortSignal
  onProgress(fraction: number): void
}

/** Reads a database that may be in use. The second argument of `use` runs statements on the same moment. */
export async function withSnapshot<Result>(
  db: Database,
  options: Options,
  use: (snapshot: Snapshot, queries: Queries) => Promise<Result>,
): Promise<Result> {
  const source = db.beside({ connections: 1, longestStatementSeconds: 0, connectSeconds: 30 })
  try {
    const names = (await tablesOf(source)).map(({ name }) => quoted(name))
    if (!names.includes('"schema_migrations"')) throw new StartFailure('The database is empty.')
    return await source.transaction(async (queries) => {
      const { sql } = queries
      await sql`set transaction isolation level repeatable read, read only`
      await prepareCopy(queries)
      // Before the first read, so that no migration can change a table between that moment and its turn.
      await sql.unsafe(`lock table ${names.join(', ')} in access share mode`)
      return use(await snapshotOf(queries, options), queries)
    })
  } finally {
    await source.end()
  }
}

async function snapshotOf(queries: Queries, { keys, signal, onProgress }: Options): Promise<Snapshot> {
  const { sql } = queries
  const tables = await tablesOf(queries)
  const [row] = await sql<{ taken_at: string; bytes: number; migrations: string[] }[]>`
    select now() as taken_at, pg_database_size(current_database()) as bytes,
      (select json_agg(name order by name) from schema_migrations) as migrations`
  const about = { ...(row as NonNullable<typeof row>), keys }
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0

  async function* rowsOf(table: SizedTable) {
    let copied = 0
    for await (const lines of copyOut(queries, table)) {
      signal.throwIfAborted()
      copied = Math.min(copied + lines.length, table.bytes)
      onProgress((done + copied) / all)
      yield lines
    }
    done += table.bytes
    onProgress(done / all)
  }

  return {
    about,
    async *tables() {
      for (const table of tables) yield { name: table.name, columns: table.columns, rows: rowsOf(table) }
    },
    // Read last: sequences do not belong to the snapshot's moment, and a later value gives no id twice.
    sequences: () => sequencesOf(queries),
  }
}

interface SizedTable extends CopiedTable {
  bytes: number
}

export const tablesOf = ({ sql }: Queries) => sql<SizedTable[]>`
  select c.relname as name, pg_table_size(c.oid) as bytes, json_agg(a.attname order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
  group by c.oid order by c.relname`

async function sequencesOf({ sql }: Queries): Promise<Sequence[]> {
  const found = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`
  const reads = found.map(
    ({ name }) => `select '${name}' as name, last_value::text, is_called from ${quoted(name)}`,
  )
  return sql.unsafe<Sequence[]>(reads.join(' union all '))
}
