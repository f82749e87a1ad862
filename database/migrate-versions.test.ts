// A database from before versions: events with transaction ids, board 0, sizes in several rows, and deletions known from events alone.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { after } from 'node:test'
import { assertEventsTrue } from '#tests/events.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { assertSizesTrue } from '#tests/sizes.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

const folder = path.join(import.meta.dirname, 'migrations')
const database = await createTestDatabase()
const db = connect(database.address, { connections: 1 })
const { sql } = db
after(async () => {
  await db.end()
  await database.drop()
})

/** Applies the migrations before versions to an empty schema. */
async function goBack() {
  await sql`drop schema public cascade`
  await sql`create schema public`
  await sql`create table schema_migrations (name text primary key, applied_at timestamptz not null default now())`
  for (const name of (await readdir(folder)).sort().filter((file) => file < '0016')) {
    const file = path.join(folder, name)
    if (name.endsWith('.ts')) await db.transaction(async (queries) => (await import(file)).default(queries))
    else await db.transaction(async (queries) => queries.sql.unsafe(await readFile(file, 'utf8')))
    await sql`insert into schema_migrations (name) values (${name})`
  }
}

/** Runs in one transaction, because its events share one transaction id and one time. */
const happen = (statements: string) => db.transaction((queries) => queries.sql.unsafe(statements))

test('events, their order, who deleted what and sizes are kept', async () => {
  await goBack()
  await happen(`
    insert into platforms (name) values ('Platform');
    insert into users (email, name, password_hash) values ('a@example.test', 'A', ''), ('b@example.test', 'B', '');
    insert into projects (platform_id, name) select 1, 'Project' from generate_series(1, 3);
    insert into boards (project_id, title) values (1, 'One'), (1, 'Two'), (1, 'Gone'), (2, 'Other');
    insert into groups (project_id, board_id, title) values (1, 1, 'A'), (1, 2, 'B'), (1, 3, 'C'), (1, 1, 'Gone');
    insert into cards (project_id, board_id, group_id, title, sort_order)
      select 1, board_id, id, 'Card', n from groups, generate_series(1, 3) n order by id, n;
    insert into board_sizes select project_id, board_id, 0, cards, groups, bytes, comment_bytes from counted_sizes(null);
    insert into board_sizes values (1, 1, 1, 2, 1, 50, 0), (1, 1, 2, -2, -1, -50, 0);
    insert into events (project_id, board_id, kind, data) values
      (1, 1, 'board.created', '{"title": "One", "position": 1}'), (2, 4, 'board.created', '{"title": "Other", "position": 1}'),
      (1, 0, 'tag.deleted', '{"tag_id": 1, "name": "Tag"}')`)
  await happen(`
    insert into events (project_id, board_id, card_id, actor_id, kind, data) values (1, 1, 1, 1, 'card.updated',
      '{"changes": {"title": {"from": "X", "to": "Card"}, "description": {"from": null, "to": "Long"}}}')`)
  await happen(`
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
      select 1, board, 1, 1, 'card.moved', '{"from_group_id": 1, "group_id": 2}' from unnest(array[1, 2]) board`)
  await happen(`
    update cards set deleted_at = now() where id = 2;
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
      values (1, 1, 2, 1, 'card.deleted', '{"title": "Card"}')`)
  await happen(`
    update groups set deleted_at = now() where id = 4;
    update cards set deleted_at = now() where group_id = 4;
    insert into events (project_id, board_id, actor_id, kind, data)
      values (1, 1, 2, 'group.deleted', '{"group_id": 4, "title": "Gone", "cards_count": 3}')`)
  await happen(`
    update boards set deleted_at = now() where id = 3;
    update groups set deleted_at = now() where board_id = 3;
    update cards set deleted_at = now() where board_id = 3;
    delete from board_sizes where board_id = 3;
    update board_sizes set (cards, groups, bytes) = (select cards, groups, bytes from counted_sizes(null) c where c.board_id = 1)
      where board_id = 1 and slot = 0;
    insert into events (project_id, board_id, actor_id, kind, data)
      values (1, 0, 2, 'board.deleted', '{"board_id": 3, "title": "Gone", "cards_count": 3}')`)
  const before = await sql`select project_id, id, kind, card_id, actor_id, created_at from events order by id`

  assert.ok((await migrate(db)).includes('0016_versions.sql'))

  assert.deepEqual(
    [...(await sql`select project_id, id, kind, card_id, actor_id, created_at from events order by id`)],
    [...before],
  )
  const versions = await sql`select project_id, version from project_versions order by project_id`
  assert.deepEqual(
    [...versions],
    [
      { project_id: 1, version: before.at(-1)?.['id'] },
      { project_id: 2, version: before[1]?.['id'] },
    ],
  )
  const deleted = await sql`
    select 'board' as kind, id, deleted_by, deleted_cards from boards where deleted_at is not null
    union all select 'group', id, deleted_by, deleted_cards from groups where deleted_at is not null
    union all select 'card', id, deleted_by, null from cards where deleted_by is not null order by 1, 2`
  assert.deepEqual(
    [...deleted],
    [
      { kind: 'board', id: 3, deleted_by: 2, deleted_cards: 3 },
      { kind: 'card', id: 2, deleted_by: 1, deleted_cards: null },
      { kind: 'group', id: 3, deleted_by: null, deleted_cards: null },
      { kind: 'group', id: 4, deleted_by: 2, deleted_cards: 3 },
    ],
  )
  const recorded = await sql`
    select kind, board_id, data from events where kind in ('card.updated', 'card.moved', 'tag.deleted') order by id`
  assert.deepEqual(
    [...recorded],
    [
      { kind: 'tag.deleted', board_id: null, data: { tag_id: 1, name: 'Tag' } },
      {
        kind: 'card.updated',
        board_id: 1,
        data: { changes: { title: { from: 'X', to: 'Card' }, description: { from: null, to: 'Long' } } },
      },
      ...[1, 2].map((board_id) => ({
        kind: 'card.moved',
        board_id,
        data: { from_board_id: 1, from_group_id: 1, board_id: 2, group_id: 2 },
      })),
    ],
  )
  await assertSizesTrue(db)
  await sql`select record_event(2, null, null, null, 'theme.created', '{"theme_id": 1, "name": "x"}')`
  const [next] = await sql`select id from events where project_id = 2 and kind = 'theme.created'`
  assert.equal(next?.['id'], (before[1]?.['id'] as number) + 1)
  // Events from before the catalogue stay unchanged.
  await sql`delete from events where kind in ('board.created', 'card.moved', 'card.updated')`
  await assertEventsTrue(db)
})
