import type { Database, Queries, Transaction } from '#database/connect.ts'
import { copyIn, prepareCopy, quoted } from '#database/copy.ts'
import { migrate, newerMigration } from '#database/migrate.ts'
import { StartFailure } from '#start-failure.ts'
import type { About, Snapshot, TableRows } from './snapshot.ts'

/**
 * Fills an empty database: its schema becomes that of the snapshot, then the rows come in one transaction, which ends with `finish`, and
 * then newer migrations. A process that is killed leaves it without rows. Returns their number.
 */
export async function load(
  db: Database,
  snapshot: Snapshot,
  finish: (queries: Transaction) => Promise<void>,
): Promise<number> {
  const target = db.beside({ connections: 1, longestStatementSeconds: 0, connectSeconds: 30 })
  try {
    await requireEmpty(target, snapshot.about)
    await migrate(target, { only: snapshot.about.migrations })
    const rows = await target.transaction(async (queries) => {
      await prepareCopy(queries)
      const putBack = await setAside(queries)
      let rows = 0
      for await (const table of snapshot.tables()) rows += await loadTable(queries, table)
      for (const { name, last_value: value, is_called: isCalled } of await snapshot.sequences())
        await queries.sql`select setval(${quoted(name)}::text::regclass, ${value}::text::bigint, ${isCalled})`
      await putBack()
      await queries.sql.unsafe(`drop table ${mark}`)
      await finish(queries)
      return rows
    })
    await target.sql`analyze`
    await migrate(target)
    return rows
  } catch (error) {
    throw refused(error)
  } finally {
    await target.end()
  }
}

/** Refuses the snapshot of a newer version, before anything is touched. */
export async function requireKnown({ migrations }: About): Promise<void> {
  const newer = await newerMigration(migrations)
  if (newer !== undefined)
    throw new StartFailure(
      `The backup is newer than this version of Cardinal (it has ${newer}): restore it with the newer version. Nothing was changed.`,
    )
}

/** A table that is there until all rows are loaded: it tells the next load that the tables are those of a load that was killed. */
const mark = 'cardinal_filling'

async function requireEmpty({ sql }: Queries, about: About): Promise<void> {
  const [found] = await sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by relkind <> 'r', relname limit 1`
  if (!found) await sql.unsafe(`create table ${mark} ()`)
  else if (!(await isLeft(sql, about)))
    throw new StartFailure(
      `The database is not empty (it has ${found.name}): create an empty one for it. Nothing was changed.`,
    )
}

/** True if the tables are those of a load that was killed, their schema can be used, and nobody has used them since. */
async function isLeft(sql: Queries['sql'], { migrations }: About): Promise<boolean> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relname in (${mark}, 'schema_migrations', 'users')`
  const has = (name: string) => tables.some((table) => table.name === name)
  const applied = has('schema_migrations')
    ? await sql<{ name: string }[]>`select name from schema_migrations`
    : []
  const users = has('users') ? await sql`select id from users limit 1` : []
  return has(mark) && users.length === 0 && applied.every(({ name }) => migrations.includes(name))
}

/** Removes what would make loading slow or depend on the order of the tables, and the rows of the migrations. Returns what puts it back. */
async function setAside({ sql }: Queries): Promise<() => Promise<void>> {
  const keys = await sql<{ drop: string; add: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by conrelid, conname`
  const indexes = await sql<{ drop: string; add: string }[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as add
    from pg_index i join pg_class c on c.oid = indexrelid
    where relnamespace = 'public'::regnamespace and not relispartition
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    order by indrelid, indexrelid`
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`
  for (const { drop } of [...keys, ...indexes]) await sql.unsafe(drop)
  await sql.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  return async () => {
    for (const { add } of [...indexes, ...keys]) await sql.unsafe(add)
  }
}

async function loadTable(queries: Queries, table: TableRows): Promise<number> {
  let rows = 0
  async function* counted() {
    for await (const lines of table.rows) {
      for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) rows++
      yield lines
    }
  }
  await copyIn(queries, table, counted())
  const [found] = await queries.sql.unsafe<{ count: number }[]>(
    `select count(*) as count from ${quoted(table.name)}`,
  )
  if (found?.count !== rows)
    throw new StartFailure(`Of ${rows} rows of ${table.name}, ${found?.count} arrived. Nothing was changed.`)
  return rows
}

/** Without PostgreSQL's detail, which may quote user data. */
const refused = (error: unknown): unknown =>
  error instanceof Error && 'severity' in error
    ? new StartFailure(`The data could not be loaded: ${error.message}. Nothing was changed.`, {
        cause: error,
      })
    : error
