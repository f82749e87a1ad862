// Reads the database's catalogue and checks that keys separate projects and that indexes serve each project.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Database } from '#database/connect.ts'
import { withTestDatabase } from './postgres.ts'

interface Index {
  table: string
  name: string
  columns: string[]
  is_primary: boolean
}

interface ForeignKey {
  table: string
  name: string
  referenced: string
  /** Pairs of columns, `here = there`. */
  pairs: string[]
}

async function tenantTables({ sql }: Database): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`
  return rows.map(({ name }) => name)
}

/** Unique indexes including primary keys; an expression has no column. */
const uniqueIndexes = ({ sql }: Database) => sql<Index[]>`
  select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, i.indisprimary as is_primary,
    to_json(array(select coalesce(a.attname, '') from unnest(i.indkey) with ordinality as key (number, place)
      left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.number
      where key.place <= i.indnkeyatts order by key.place)) as columns
  from pg_index i where i.indisunique and i.indrelid in (
    select oid from pg_class where relnamespace = 'public'::regnamespace) order by 2`

const foreignKeys = ({ sql }: Database) => sql<ForeignKey[]>`
  select c.conrelid::regclass::text as table, c.conname as name, c.confrelid::regclass::text as referenced,
    to_json(array(select here.attname || ' = ' || there.attname
      from unnest(c.conkey, c.confkey) as pair (here_number, there_number)
      join pg_attribute here on here.attrelid = c.conrelid and here.attnum = pair.here_number
      join pg_attribute there on there.attrelid = c.confrelid and there.attnum = pair.there_number)) as pairs
  from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 2`

/** Foreign keys within a project without an index beyond the project, so that a lookup reads all rows of the project. */
const unservedKeys = ({ sql }: Database) => sql<{ name: string }[]>`
  select c.conname as name from pg_constraint c
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) > 1 and not exists (
    select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = any(c.conkey) and i.indkey[1] = any(c.conkey)
  ) order by 1`

async function problems(db: Database): Promise<string[]> {
  const tables = await tenantTables(db)
  const unique = await uniqueIndexes(db)
  const keys = await foreignKeys(db)
  const triggers = await db.sql<{ name: string }[]>`
    select tgname as name from pg_trigger where not tgisinternal order by 1`
  const startsWithProject = (table: string) =>
    unique.some((index) => index.table === table && index.is_primary && index.columns[0] === 'project_id')
  return [
    ...tables
      .filter((table) => !startsWithProject(table))
      .map((table) => `the primary key of ${table} does not start with project_id`),
    ...keys
      .filter(({ table, referenced }) => tables.includes(table) && tables.includes(referenced))
      .filter(({ pairs }) => !pairs.includes('project_id = project_id'))
      .map(({ name }) => `the foreign key ${name} can point into another project`),
    ...unique
      .filter(({ table, columns }) => tables.includes(table) && !columns.includes('project_id'))
      .map(({ name }) => `the unique index ${name} spans projects`),
    ...(await unservedKeys(db)).map(({ name }) => `the foreign key ${name} has no index`),
    ...triggers.map(({ name }) => `${name} is a trigger`),
  ]
}

test('tenant tables have the project in their keys, foreign keys stay within a project, and each has an index', () =>
  withTestDatabase(async (db) => {
    const tables = await tenantTables(db)
    for (const table of [
      'boards',
      'groups',
      'cards',
      'comments',
      'comment_reads',
      'tags',
      'events',
      'memberships',
      'subscriptions',
      'checkouts',
    ])
      assert.ok(tables.includes(table), table)
    assert.deepEqual(await problems(db), [])
  }))

test('the test above detects each of these', () =>
  withTestDatabase(async (db) => {
    await db.sql.unsafe(`
      alter table cards add column external_id text;
      create unique index cards_external on cards (external_id) include (project_id);
      create unique index cards_lower on cards (lower(external_id));
      create table notes (id bigint primary key, project_id bigint not null, card_id bigint, card_project_id bigint,
        foreign key (card_project_id, card_id) references cards);
      create table loose (project_id bigint not null);
      create function touch() returns trigger language plpgsql as 'begin return new; end';
      create trigger touched before update on cards for each row execute function touch();`)
    assert.deepEqual(await problems(db), [
      'the primary key of loose does not start with project_id',
      'the primary key of notes does not start with project_id',
      'the foreign key notes_card_project_id_card_id_fkey can point into another project',
      'the unique index cards_external spans projects',
      'the unique index cards_lower spans projects',
      'the unique index notes_pkey spans projects',
      'the foreign key notes_card_project_id_card_id_fkey has no index',
      'touched is a trigger',
    ])
  }))
