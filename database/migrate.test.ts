import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after } from 'node:test'
import { createTestDatabase } from '#tests/postgres.ts'
import { eventually, within } from '#tests/process.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

const toUndo = new AsyncDisposableStack()
after(() => toUndo.disposeAsync())

/** An empty database, some connections to it, and a folder of migrations. */
async function emptyDatabase(files: Record<string, string>) {
  const database = await createTestDatabase()
  toUndo.defer(() => database.drop())
  const open = () => {
    const db = connect(database.address)
    toUndo.defer(() => db.end())
    return db
  }
  const db = open()
  await db.sql.unsafe('drop schema public cascade; create schema public')
  const folder = await mkdtemp(path.join(tmpdir(), 'cardinal-migrations-'))
  toUndo.defer(() => rm(folder, { recursive: true }))
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(path.join(folder, name), text)
  }
  await write(files)
  const ledger = async () =>
    (await db.sql<{ name: string }[]>`select name from schema_migrations order by name`).map(
      ({ name }) => name,
    )
  return { db, open, folder, write, ledger }
}

const first = { '0001_first.sql': 'create table things (id int primary key); insert into things values (1)' }

test('a failed migration gives a clear message, and earlier ones stay applied', async () => {
  const { db, folder, write, ledger } = await emptyDatabase({
    ...first,
    '0002_broken.sql': 'insert into things values (2); insert into things values (1)',
  })
  await assert.rejects(migrate(db, { folder }), {
    name: 'StartFailure',
    message:
      'Migration 0002_broken.sql failed: duplicate key value violates unique constraint "things_pkey". The migrations before it are applied. Fix the cause and start again; to return to the version before, restore the backup.',
  })
  assert.deepEqual(await ledger(), ['0001_first.sql'])
  assert.equal((await db.sql`select from things`).length, 1)
  await write({ '0002_broken.sql': 'insert into things values (2)' })
  assert.deepEqual(await migrate(db, { folder }), ['0002_broken.sql'])
})

test('three instances that start at once apply each file once, also one that builds an index', async () => {
  const many = 'create table things as select id from generate_series(1, 50000) id'
  const { open, folder, ledger, db } = await emptyDatabase({
    '0001_many.sql': `${many}; select pg_sleep(0.3)`,
    '0002_index.sql':
      '-- without a transaction\ndrop index concurrently if exists things_id;\ncreate index concurrently things_id on things (id);\n',
    '0003_more.sql': 'insert into things values (0)',
  })
  const applied = await Promise.all([open(), open(), open()].map((one) => migrate(one, { folder })))
  assert.deepEqual(applied.flat().sort(), ['0001_many.sql', '0002_index.sql', '0003_more.sql'])
  assert.deepEqual(await ledger(), applied.flat().sort())
  assert.equal((await db.sql`select from things`).length, 50_001)
  const [index] = await db.sql`select indisvalid from pg_index where indexrelid = 'things_id'::regclass`
  assert.deepEqual(index, { indisvalid: true })
})

test('an index that could not be built is built by the next start', async () => {
  const { db, folder, write, ledger } = await emptyDatabase({
    '0001_first.sql': 'create table things (id int); insert into things values (1), (1)',
    '0002_index.sql':
      '-- without a transaction\ndrop index concurrently if exists things_id;\ncreate unique index concurrently things_id on things (id);\n',
  })
  await assert.rejects(migrate(db, { folder }), {
    message: /^Migration 0002_index\.sql failed: could not create unique index/,
  })
  assert.deepEqual(await ledger(), ['0001_first.sql'])
  await db.sql`delete from things`
  await write({ '0003_last.sql': 'select 1' })
  assert.deepEqual(await migrate(db, { folder }), ['0002_index.sql', '0003_last.sql'])
  const [index] = await db.sql`select indisvalid from pg_index where indexrelid = 'things_id'::regclass`
  assert.deepEqual(index, { indisvalid: true })
})

test('a migration lets others pass while its table is locked, and continues once it is free', async () => {
  const { db, open, folder, write } = await emptyDatabase(first)
  await migrate(db, { folder })
  await write({ '0002_alter.sql': 'alter table things add column name text' })
  const release = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holder = db.transaction(async ({ sql }) => {
    await sql`select from things`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const sentences: string[] = []
  const migrated = migrate(open(), { folder, onWait: (sentence) => void sentences.push(sentence) })
  // A reader that arrives while the migration waits for its lock queues behind it, for a second at most.
  await eventually(async () => {
    const waiting = await db.sql`select from pg_locks where relation = 'things'::regclass and not granted`
    assert.equal(waiting.length, 1)
  })
  await within(5_000, db.sql`select from things`)
  await eventually(
    () =>
      assert.deepEqual(sentences, [
        'Migration 0002_alter.sql waits for tables that other transactions hold.',
      ]),
    30_000,
  )
  release.resolve()
  await holder
  assert.deepEqual(await within(20_000, migrated), ['0002_alter.sql'])
})

test('a table that stays locked ends the start with a message that says what to do', async () => {
  const { db, open, folder, write, ledger } = await emptyDatabase(first)
  await migrate(db, { folder })
  await write({ '0002_alter.sql': 'alter table things add column name text' })
  await db.transaction(async ({ sql }) => {
    await sql`select from things`
    await assert.rejects(migrate(open(), { folder, seconds: 0 }), {
      name: 'StartFailure',
      message:
        /^Migration 0002_alter\.sql has waited 0 seconds .* End those transactions .* and start again\.$/,
    })
  })
  assert.deepEqual(await ledger(), ['0001_first.sql'])
  assert.deepEqual(await migrate(db, { folder }), ['0002_alter.sql'])
})

test('waiting ends when the start is stopped', async () => {
  const { db, open, folder, write } = await emptyDatabase(first)
  await migrate(db, { folder })
  await write({ '0002_alter.sql': 'alter table things add column name text' })
  const stop = new AbortController()
  await db.transaction(async ({ sql }) => {
    await sql`select from things`
    const onWait = () => stop.abort('SIGINT')
    await assert.rejects(
      migrate(open(), { folder, signal: stop.signal, onWait }),
      (error) => error === 'SIGINT',
    )
  })
})
