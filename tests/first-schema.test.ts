// Migrates a database of the first schema, filled by the service of that time: the demo, a template rolled out to 200 projects,
// and people's work in 20 of them (first-schema.json.gz has its rows).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { connect, type Database } from '#database/connect.ts'
import { migrate } from '#database/migrate.ts'
import { createTestDatabase } from './postgres.ts'
import { startTestService } from './service.ts'
import { assertSizesTrue } from './sizes.ts'

type Row = Record<string, unknown>
interface Dump {
  tables: Record<string, Row[]>
  sequences: Record<string, number | null>
}

const migrations = path.join(import.meta.dirname, '../database/migrations')
const isFirst = (name: string) => name < '0010'
const dump: Dump = JSON.parse(
  gunzipSync(await readFile(path.join(import.meta.dirname, 'first-schema.json.gz'))).toString(),
)

const database = await createTestDatabase()
const db = connect(database.address)
after(async () => {
  await db.end()
  await database.drop()
})

async function makeFirstSchema(files: string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'cardinal-first-'))
  for (const name of files) await copyFile(path.join(migrations, name), path.join(folder, name))
  await db.sql.unsafe('drop schema public cascade; create schema public')
  await migrate(db, { folder }).finally(() => rm(folder, { recursive: true }))
}

async function fill({ tables, sequences }: Dump) {
  await db.transaction(async ({ sql }) => {
    // Rows come in any order, so foreign keys are off meanwhile.
    await sql`set local session_replication_role = replica`
    for (const [table, rows] of Object.entries(tables))
      if (table !== 'schema_migrations')
        await sql`
          insert into ${sql(table)} overriding system value
          select * from json_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows)}::text::json)`
    for (const [name, last] of Object.entries(sequences))
      if (last !== null) await sql`select setval(${name}::regclass, ${last})`
  })
}

const rowsOf = async ({ sql }: Database, table: string) =>
  (await sql<{ row: Row }[]>`select to_json(t) as row from ${sql(table)} t`).map(({ row }) => row)

const keysOf = async ({ sql }: Database) =>
  new Map(
    (
      await sql<{ table: string; columns: string[] }[]>`
        select c.relname as table, json_agg(a.attname) as columns from pg_constraint k
        join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
        where k.contype = 'p' group by c.relname`
    ).map(({ table, columns }) => [table, columns]),
  )

const keyOf = (columns: string[], row: Row) => columns.map((column) => String(row[column])).join(' ')

/** What migrations change on purpose; everything else must stay the same. */
const changes: Record<string, (was: unknown, is: unknown) => boolean> = {
  description: (was, is) => is === (descriptions.get(was as string) ?? was),
  // News rest on versions, not on transactions.
  'events.xid': () => true,
  'events.board_id': (was, is) => is === was || (was === 0 && is === null),
  'events.kind': (was, is) => is === (was === 'template.pushed' ? 'template.rolled_out' : was),
  'events.data': (was, is) => isDeepStrictEqual({ ...(is as object), ...withRollout(was as Row) }, is),
  // Templates that only new projects had received were published.
  'master_boards.version': (was, is) => is === was || is === (was as number) + 1,
}

/** Tables and columns that have another name now. */
const renamed: Record<string, string> = {
  pushes: 'rollouts',
  push_batches: 'rollout_batches',
  'pushes.version': 'revision',
  'push_batches.push_id': 'rollout_id',
  'master_boards.version': 'newest_revision',
  'boards.synced_version': 'synced_revision',
}
const nameOf = (table: string, column: string) => renamed[`${table}.${column}`] ?? column

const withRollout = (data: Row): Row =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name.replace(/^push_/, 'rollout_'), value]))

const descriptions = new Map([['AT&amp;T', 'AT&T']])

test('nothing is lost when a database is migrated from the first schema to the newest', async () => {
  const files = (await readdir(migrations)).sort()
  const text = await Promise.all(files.filter(isFirst).map((name) => readFile(path.join(migrations, name))))
  assert.equal(
    createHash('sha256').update(Buffer.concat(text)).digest('hex'),
    '81fb24e94c9ba8bd2f15c7d6d89b5ca2b19fe2831ba01a53e63d137d1ab9a470',
    'a migration that has landed was changed',
  )
  await makeFirstSchema(files.filter(isFirst))
  const keys = await keysOf(db)
  await fill(dump)
  assert.deepEqual(
    await migrate(db),
    files.filter((name) => !isFirst(name)),
  )
  const lost: string[] = []
  for (const [table, rows] of Object.entries(dump.tables)) {
    const key = keys.get(table) as string[]
    const newKey = key.map((column) => nameOf(table, column))
    const present = new Map(
      (await rowsOf(db, renamed[table] ?? table)).map((row) => [keyOf(newKey, row), row]),
    )
    for (const row of rows)
      for (const [column, was] of Object.entries(row)) {
        const is = present.get(keyOf(key, row))?.[nameOf(table, column)]
        const isKept = changes[`${table}.${column}`] ?? changes[column] ?? isDeepStrictEqual
        if (table !== 'schema_migrations' && !isKept(was, is))
          lost.push(`${table} ${keyOf(key, row)} ${column}: ${JSON.stringify(was)} is ${JSON.stringify(is)}`)
      }
  }
  assert.deepEqual(lost.slice(0, 20), [])
  await assertSizesTrue(db)
})

test('the newest service works with it', async () => {
  const service = await startTestService({}, database.address)
  const operations = '/services/operations/v1/operations'
  const { token } = await service
    .client()
    .call('/v1/authenticate', { email: 'owner@acme.test', password: 'demo-password' })
  const own = dump.tables['boards']?.find(({ title }) => title === 'Own board 0') as {
    id: number
    project_id: number
  }
  const owner = service.client(token, { 'X-Project-Id': String(own.project_id) })
  const { board } = await owner.call(`${operations}/boards/get`, { id: own.id })
  assert.deepEqual(
    board.groups.map(({ title, cards }) => [title, cards.map((card) => [card.title, card.description])]),
    [
      [
        'To do',
        [
          ['Card 0 of 0', 'AT&T'],
          ['Card 2 of 0', '<p>One &amp; <b>two</b></p>'],
          ['Card 3 of 0', 'write <b>x</b> <i>y</i>'],
        ],
      ],
      ['Done', [['Card 1 of 0', 'two\nlines']]],
    ],
  )
  const [group] = board.groups
  const { card } = await owner.call(`${operations}/cards/create`, {
    title: 'New',
    group_id: group?.id as number,
  })
  assert.ok(dump.tables['cards']?.every(({ id }) => (id as number) < card.id))
  const superadmin = service.client(
    (
      await service
        .client()
        .call('/v1/authenticate', { email: 'superadmin@cardinal.test', password: 'demo-password' })
    ).token,
  )
  const master = dump.tables['master_boards']?.find(({ title }) => title === 'Onboarding & more') as {
    id: number
  }
  const events = (await db.sql`select from events`).length
  await superadmin.call('/services/operations/v1/admin/master-boards/sync', { board_id: master.id })
  assert.equal((await db.sql`select from events`).length, events, 'every copy has what its template has')
})
