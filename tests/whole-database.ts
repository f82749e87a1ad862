// Everything in a database, for tests that compare it before and after a call and bring it back.
import type { Database, Queries } from '#database/connect.ts'

interface Table {
  /** Differs if the rows do. */
  hash: string
  /** As text. */
  rows: ReadonlySet<string>
}

/** The tables by name. Jobs run by the clock and are left out. */
export type Contents = ReadonlyMap<string, Table>

/** Prepared, because planning takes longer than the rest. */
const options = { prepare: true, simple: false }

/** Reads only the tables that are not as they were in `known`. */
export async function readContents({ sql }: Queries, known?: Contents): Promise<Contents> {
  const sums = await sumsOf(sql, known ? [...known.keys()] : await tableNames(sql))
  const contents = new Map<string, Table>()
  for (const [name, hash] of Object.entries(sums)) {
    const before = known?.get(name)
    const isKnown = before !== undefined && before.hash === hash
    contents.set(name, isKnown ? before : { hash, rows: await readRows(sql, name) })
  }
  return contents
}

/** A number for the rows of each table, in one statement; it differs if the rows do. */
export async function sumsOf(sql: Queries['sql'], tables: string[]): Promise<Record<string, string>> {
  const parts = tables.map(
    (name) => `select '${name}' as name, sum(hashtextextended(t::text, 0))::text as hash from ${name} t`,
  )
  const sums: { name: string; hash: string }[] = await sql.unsafe(parts.join(' union all '), [], options)
  return Object.fromEntries(sums.map(({ name, hash }) => [name, hash]))
}

async function tableNames(sql: Queries['sql']): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'jobs' order by 1`
  return tables.map(({ name }) => name)
}

async function readRows(sql: Queries['sql'], table: string): Promise<ReadonlySet<string>> {
  const rows: { line: string }[] = await sql.unsafe(`select t::text as line from ${table} t`, [], options)
  return new Set(rows.map(({ line }) => line))
}

/** How many rows each table has lost and gained. */
export type Difference = Record<string, { lost: number; gained: number }>

export function differenceOf(before: Contents, after: Contents): Difference {
  const tables = [...before].flatMap(([name, { hash, rows }]) => {
    const now = after.get(name) as Table
    if (now.hash === hash) return []
    return [[name, { lost: rows.difference(now.rows).size, gained: now.rows.difference(rows).size }] as const]
  })
  return Object.fromEntries(tables)
}

/** Makes the database, which is `now` something else, what it was, without asking its triggers. */
export async function bringBack(db: Database, before: Contents, now: Contents): Promise<void> {
  const changed = [...before].filter(([name, { hash }]) => now.get(name)?.hash !== hash)
  if (changed.length === 0) return
  await db.transaction(async ({ sql }) => {
    await sql`set local session_replication_role = replica`
    for (const [name, { rows }] of changed) {
      const present = now.get(name)?.rows ?? new Set<string>()
      const gained = [...present.difference(rows)]
      const lost = [...rows.difference(present)]
      if (gained.length > 0)
        await sql`
          delete from ${sql(name)} t
          where t::text in (select json_array_elements_text(${JSON.stringify(gained)}::text::json))`
      if (lost.length === 0) continue
      const columns = await sql<{ attname: string }[]>`
        select attname from pg_attribute
        where attrelid = ${name}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
      const names = sql(columns.map(({ attname }) => attname))
      await sql`
        insert into ${sql(name)} (${names}) overriding system value
        select ${names} from (
          select (line::${sql(name)}).* from json_array_elements_text(${JSON.stringify(lost)}::text::json) line) lines`
    }
  })
}
