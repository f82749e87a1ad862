// A database from before versions of templates: what was rolled out last, or received by new projects, is published.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { after } from 'node:test'
import { createTestDatabase } from '#tests/postgres.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

const migrations = path.join(import.meta.dirname, 'migrations')
const database = await createTestDatabase()
const db = connect(database.address, { connections: 1 })
const { sql } = db
after(async () => {
  await db.end()
  await database.drop()
})

/** Applies the migrations before versions of templates to an empty schema. */
async function goBack() {
  await sql`drop schema public cascade`
  await sql`create schema public`
  await sql`create table schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  for (const name of (await readdir(migrations)).sort().filter((file) => file < '0061')) {
    const file = path.join(migrations, name)
    const text = await readFile(file, 'utf8')
    if (name.endsWith('.ts')) await db.transaction(async (queries) => (await import(file)).default(queries))
    else if (text.startsWith('-- without a transaction'))
      for (const statement of text.split(';\n')) await sql.unsafe(statement)
    else await db.transaction((queries) => queries.sql.unsafe(text))
    await sql`insert into schema_migrations (name) values (${name})`
  }
}

/** A template with a group and two cards at revision 1, whose second card and title changed with revisions 2 and 3. */
const template = (title: string) => `
  with m as (
    insert into master_boards (platform_id, title, version, revision, created_by) values (1, '${title} 3', 3, 3, 1) returning id
  ), g as (
    insert into master_groups (board_id, title, revision, created_by) select id, 'Group', 1, 1 from m returning id, board_id, rank
  ), c as (
    insert into master_cards (board_id, platform_id, group_id, title, revision, sort_order, created_by)
    select board_id, 1, id, 'Card ' || n, n, n, 1 from g, generate_series(1, 2) n returning id, board_id, group_id, rank, title, sort_order
  ), of_board as (
    insert into master_board_revisions (board_id, revision, title, is_active, is_deleted, created_by)
    select id, r, '${title} ' || r, true, false, 1 from m, unnest(array[1, 3]) r
  ), of_group as (
    insert into master_group_revisions (board_id, group_id, revision, title, rank, is_deleted, created_by)
    select board_id, id, 1, 'Group', rank, false, 1 from g
  )
  insert into master_card_revisions (board_id, card_id, revision, group_id, rank, sort_order, title, status, priority, is_active, is_deleted, created_by)
  select board_id, id, r, group_id, rank, sort_order, title || ' at ' || r, 'open', 'normal', true, false, 1
  from c, unnest(array[1, 2]) r where r = 1 or sort_order = 2`

test('rollouts become versions, what only new projects received is published as it is, and the rest stays a draft', async () => {
  await goBack()
  await sql.unsafe(`
    insert into platforms (name) select 'Platform' where not exists (select from platforms);
    insert into users (email, name, password_hash) values ('a@example.test', 'A', '');
    insert into projects (platform_id, name) values (1, 'One')`)
  for (const title of ['Synced', 'Pushed', 'Received', 'Draft']) await sql.unsafe(template(title))
  const ids = new Map(
    (await sql<{ id: number; title: string }[]>`select id, title from master_boards`).map(({ id, title }) => [
      title.split(' ')[0] as string,
      id,
    ]),
  )
  const idOf = (title: string) => ids.get(title) as number
  const [second] = await sql<{ id: number }[]>`
    select id from master_cards where board_id = ${idOf('Pushed')} and sort_order = 2`
  await sql.unsafe(`
    insert into pushes (kind, platform_id, board_id, card_id, version, status, created_by, finished_at) values
      ('board', 1, ${idOf('Synced')}, null, 1, 'done', 1, now()), ('board', 1, ${idOf('Synced')}, null, 1, 'done', 1, now()),
      ('board', 1, ${idOf('Synced')}, null, 2, 'done', 1, now()),
      ('card', 1, ${idOf('Pushed')}, ${second?.id}, 2, 'done', 1, now());
    update master_cards set rolled_out_revision = 2 where id = ${second?.id};
    insert into push_batches (push_id, number, project_ids) values (1, 1, '{1}');
    insert into boards (project_id, master_board_id, master_revision, synced_version, title)
      values (1, ${idOf('Synced')}, 1, 2, 'x'), (1, ${idOf('Received')}, 3, 3, 'x');
    insert into project_versions values (1, 2) on conflict (project_id) do update set version = 2;
    insert into events (project_id, id, board_id, actor_id, kind, data) values
      (1, 1, 1, 1, 'template.pushed', '{"push_id": 1, "push_kind": "board"}'),
      (1, 2, 1, 1, 'card.deleted', '{"title": "Card", "push_id": 4, "push_kind": "removal"}')`)

  assert.deepEqual(
    (await migrate(db)).filter((name) => name < '0063'),
    ['0061_rollouts.sql', '0062_versions.sql'],
  )

  const versions = await sql<{ title: string; number: number; revision: number }[]>`
    select m.title, v.number, v.revision from template_versions v join master_boards m on m.id = v.board_id order by m.id, v.number`
  assert.deepEqual(
    versions.map(({ title, number, revision }) => [title, number, revision]),
    [
      ['Synced 3', 1, 1],
      ['Synced 3', 2, 2],
      ['Pushed 3', 1, 2],
      ['Received 3', 1, 4],
    ],
  )
  const published = async (title: string) => {
    const rows = await sql<{ thing: string; revision: number; published_with: number }[]>`
      select * from (select 'board' as thing, revision, published_with from master_board_revisions where board_id = ${idOf(title)}
      union all select 'group', revision, published_with from master_group_revisions where board_id = ${idOf(title)}
      union all select r.title, r.revision, published_with from master_card_revisions r where board_id = ${idOf(title)}) states
      order by thing collate "C", revision`
    return rows.map(({ thing, published_with }) => [thing, published_with])
  }
  assert.deepEqual(await published('Synced'), [
    ['Card 1 at 1', 1],
    ['Card 2 at 1', 1],
    ['Card 2 at 2', 2],
    ['board', 1],
    ['board', null],
    ['group', 1],
  ])
  assert.deepEqual(await published('Pushed'), [
    ['Card 1 at 1', null],
    ['Card 2 at 1', null],
    ['Card 2 at 2', 2],
    ['board', 2],
    ['board', null],
    ['group', 2],
  ])
  assert.deepEqual(await published('Received'), [
    ['Card 1 at 1', 4],
    ['Card 2 at 1', null],
    ['Card 2 at 2', 4],
    ['board', null],
    ['board', 4],
    ['group', 4],
  ])
  assert.ok((await published('Draft')).every(([, version]) => version === null))
  const [card] = await sql<{ published_revision: number; rolled_out_revision: number }[]>`
    select published_revision, rolled_out_revision from master_cards where id = ${second?.id ?? 0}`
  assert.deepEqual(card, { published_revision: 2, rolled_out_revision: 2 })
  const rollouts = await sql<{ title: string; template_title: string; revision: number }[]>`
    select title, template_title, revision from rollouts order by id`
  assert.deepEqual(
    rollouts.map(({ title, template_title, revision }) => [title, template_title, revision]),
    [
      ['Synced 1', 'Synced 1', 1],
      ['Synced 1', 'Synced 1', 1],
      ['Synced 1', 'Synced 1', 2],
      ['Card 2 at 2', 'Pushed 1', 2],
    ],
  )
  const events = await sql<{ kind: string; data: object }[]>`select kind, data from events order by id`
  assert.deepEqual(
    [...events],
    [
      { kind: 'template.rolled_out', data: { rollout_id: 1, rollout_kind: 'board' } },
      { kind: 'card.deleted', data: { title: 'Card', rollout_id: 4, rollout_kind: 'removal' } },
    ],
  )
})
