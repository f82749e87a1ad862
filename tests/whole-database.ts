// Everything in a database, for tests that compare it before and after a call and bring it back.
import type { Database, Queries } from '#database/connect.ts'

interface Table {
  /** How often it may have changed; null if a transaction was under way that may still change it. */
  changes: string | null
  /** Differs if the rows do. */
  hash: string
  /** As text. */
  rows: ReadonlySet<string>
}

/** The tables by name. Jobs run by the clock and are left out. */
export type Contents = ReadonlyMap<string, Table>

/** Reads only the tables that may have changed since `known`. */
export async function readContents({ sql }: Queries, known?: Contents): Promise<Contents> {
  if (!known) await countChanges(sql)
  const counts = await changesOf(sql)
  const contents = new Map<string, Table>()
  const mayDiffer = counts.filter(({ name, changes }) => {
    const before = known?.get(name)
    const isKnown = before !== undefined && before.changes === changes && changes !== null
    if (isKnown) contents.set(name, before)
    return !isKnown
  })
  const sums = await sumsOf(
    sql,
    mayDiffer.map(({ name }) => name),
  )
  for (const { name, changes } of mayDiffer) {
    const before = known?.get(name)
    const hash = sums[name] as string
    const rows = before?.hash === hash ? before.rows : await readRows(sql, name)
    contents.set(name, { changes, hash, rows })
  }
  return contents
}

/** Has every table count the statements that may change it, at once and for good: a count is not undone with its transaction. */
async function countChanges(sql: Queries['sql']): Promise<void> {
  await sql.unsafe(`
    create schema counted;
    create function counted.note() returns trigger language plpgsql security definer as
      $$ begin perform nextval(format('counted.%I', tg_relname)); return null; end $$;
    do $$ declare name text; begin
      for name in
        select relname from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'jobs'
      loop
        execute format('create sequence counted.%I', name);
        execute format('create trigger counted after insert or update or delete or truncate on %I
          for each statement execute function counted.note()', name);
        -- Also while it is brought back.
        execute format('alter table %I enable always trigger counted', name);
      end loop;
    end $$`)
}

/** The counts of all tables; null while somebody else is about to change something, which may have been counted already. */
async function changesOf(sql: Queries['sql']): Promise<{ name: string; changes: string | null }[]> {
  const counts = await sql<{ name: string; changes: string }[]>`
    select relname as name, coalesce(pg_sequence_last_value(oid), 0)::text as changes
    from pg_class where relkind = 'S' and relnamespace = 'counted'::regnamespace order by 1`
  const writing = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`
  return writing.length === 0 ? counts : counts.map(({ name }) => ({ name, changes: null }))
}

/** A number for the rows of each table, in one statement; it differs if the rows do. */
async function sumsOf(sql: Queries['sql'], tables: string[]): Promise<Record<string, string>> {
  if (tables.length === 0) return {}
  const parts = tables.map(
    (name) => `select '${name}' as name, sum(hashtextextended(t::text, 0))::text as hash from ${name} t`,
  )
  const sums: { name: string; hash: string }[] = await sql.unsafe(parts.join(' union all '))
  return Object.fromEntries(sums.map(({ name, hash }) => [name, hash]))
}

async function readRows(sql: Queries['sql'], table: string): Promise<ReadonlySet<string>> {
  const rows: { line: string }[] = await sql.unsafe(`select t::text as line from ${table} t`)
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
