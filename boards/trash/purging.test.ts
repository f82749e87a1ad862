import assert from 'node:assert/strict'
import test from 'node:test'
import { type Database, insideTransaction } from '#database/connect.ts'
import { createBoard } from '#tests/board.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { purges } from './purging.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db

async function purgeDeleted(db: Database) {
  for (const purge of Object.values(purges)) await purge(db)
}

test('30 days after its deletion a card is emptied and cannot be restored; its row stays', async () => {
  const { admin, cardIds, boardId } = await createBoard(service, { cards: 2 })
  const [old, recent] = cardIds as [number, number]
  for (const id of [old, recent]) {
    await admin.call(`${operations}/comments/create`, { card_id: id, comment: 'Words' })
    await admin.call(`${operations}/cards/delete`, { id })
  }
  await sql`update cards set deleted_at = now() - interval '31 days' where id = ${old}`
  await sql`update comments set deleted_at = now() - interval '31 days' where card_id = ${old}`
  await purgeDeleted(service.db)
  const cards = await sql`select id, title from cards where board_id = ${boardId} order by id`
  assert.deepEqual(
    [...cards],
    [
      { id: old, title: '' },
      { id: recent, title: 'Card 2' },
    ],
  )
  const comments =
    await sql`select comment from comments where card_id in (${old}, ${recent}) order by card_id`
  assert.deepEqual([...comments], [{ comment: '' }, { comment: 'Words' }])
  assert.equal((await admin.attempt(`${operations}/cards/restore`, { id: old })).status, 404)
  assert.equal((await admin.attempt(`${operations}/cards/restore`, { id: recent })).status, 200)
})

test('a card is purged while something that refers to it is being stored', async () => {
  const { admin, cardIds, boardId } = await createBoard(service, { cards: 1 })
  await admin.call(`${operations}/cards/delete`, { id: cardIds[0] as number })
  await sql`update cards set deleted_at = now() - interval '31 days' where board_id = ${boardId}`
  await service.db.transaction(async (other) => {
    await other.sql`select from cards where board_id = ${boardId} for key share`
    await purgeDeleted(service.db)
  })
  const cards = await sql`select title from cards where board_id = ${boardId}`
  assert.deepEqual([...cards], [{ title: '' }])
})

test('30 days after its deletion a board has no saved views any more; other boards keep theirs', async () => {
  const { admin, projectId, boardId } = await createBoard(service)
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Old' })
  for (const board_id of [boardId, board.id])
    await admin.call(`${operations}/views/create`, { name: 'Late', parameters: 'due=overdue', board_id })
  const boardsWithViews = async () => {
    const rows = await sql<{ board_id: number }[]>`
      select board_id from saved_views where project_id = ${projectId} order by board_id`
    return rows.map(({ board_id }) => board_id)
  }
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  await purgeDeleted(service.db)
  assert.deepEqual(await boardsWithViews(), [boardId, board.id])
  await sql`update boards set deleted_at = now() - interval '31 days' where id = ${board.id}`
  await purgeDeleted(service.db)
  assert.deepEqual(await boardsWithViews(), [boardId])
})

test('the history of a card that was deleted 30 days ago is purged too, other history stays', async () => {
  const { admin, projectId } = await createBoard(service)
  const words = { title: 'Confidential', description: 'Confidential' }
  const { board } = await admin.call(`${operations}/boards/create`, words)
  const group = async () =>
    (await admin.call(`${operations}/groups/create`, { board_id: board.id, ...words })).group.id
  const card = async (group_id: number) => {
    const made = await admin.call(`${operations}/cards/create`, { group_id, ...words })
    await admin.call(`${operations}/cards/update`, {
      id: made.card.id,
      title: 'Confidential, too',
      description: null,
    })
    return made.card.id
  }
  const kept = await card(await group())
  const [goneGroup, groupOfGone] = [await group(), await group()]
  const gone = await card(groupOfGone)
  await admin.call(`${operations}/groups/delete`, { id: groupOfGone })
  await admin.call(`${operations}/groups/restore`, { id: groupOfGone })
  await admin.call(`${operations}/groups/update`, { id: goneGroup, title: 'Confidential, too' })
  const { tag } = await admin.call(`${operations}/tags/create`, { name: 'Confidential' })
  await admin.call(`${operations}/cards/delete`, { id: gone })
  await admin.call(`${operations}/groups/delete`, { id: goneGroup })
  await admin.call(`${operations}/tags/delete`, { id: tag.id })
  const history = async () =>
    sql<{ kind: string; card_id: number | null }[]>`
      select kind, card_id from events where project_id = ${projectId} and data::text like '%Confidential%' order by id`
  const age = (table: string) =>
    sql.unsafe(`update ${table} set deleted_at = now() - interval '31 days'
      where project_id = ${projectId} and deleted_at is not null`)
  for (const table of ['cards', 'groups', 'tags']) await age(table)
  await purgeDeleted(service.db)
  assert.deepEqual(
    (await history()).map(({ kind, card_id }) => [kind, card_id]),
    [
      ['board.created', null],
      ['group.created', null],
      ['card.created', kept],
      ['card.updated', kept],
      ['group.created', null],
      ['group.deleted', null],
    ],
  )
  const { activity } = await admin.call(`${operations}/activity/list`, { board_id: board.id })
  assert.equal(activity.filter(({ card_id }) => card_id === gone).length, 3)
  await admin.call(`${operations}/boards/delete`, { id: board.id })
  for (const table of ['cards', 'groups', 'boards']) await age(table)
  await purgeDeleted(service.db)
  assert.deepEqual([...(await history())], [])
})

const tables = ['boards', 'groups', 'tags', 'cards', 'comments', 'comment_reads', 'events']
const count = 150
type Board = Awaited<ReturnType<typeof createBoard>>

/** Adds comments and things with events, all deleted 31 days ago. */
async function addDeleted({ projectId, boardId, groupIds, cardIds, members }: Board) {
  const deleted = (columns: string) =>
    `select $1::bigint, ${columns}, now() - interval '31 days' from generate_series(1, ${count}) number returning project_id, id`
  const recording = (noun: string, word: string, cardId: string) => `
    select record_event(project_id, null, ${cardId}, null, '${noun}.deleted', jsonb_build_object('${noun}_id', id, '${word}', 'Words'))
    from made`
  const add = (insert: string, columns: string, rest: string, values: number[] = []) =>
    sql.unsafe(`with made as (insert into ${insert}, deleted_at) ${deleted(columns)}) ${rest}`, [
      projectId,
      ...values,
    ])
  await add('boards (project_id, title', `'Words'`, recording('board', 'title', 'null'))
  await add(
    'groups (project_id, board_id, title',
    `$2::bigint, 'Words'`,
    recording('group', 'title', 'null'),
    [boardId],
  )
  await add('tags (project_id, name', `'Words'`, recording('tag', 'name', 'null'))
  await add(
    'cards (project_id, board_id, group_id, title, sort_order',
    `$2::bigint, $3::bigint, 'Words', number`,
    recording('card', 'title', 'id'),
    [boardId, groupIds[0] as number],
  )
  await add(
    'comments (project_id, card_id, user_id, comment',
    `$2::bigint, $3::bigint, 'Words'`,
    'insert into comment_reads (project_id, comment_id, user_id) select project_id, id, $3 from made',
    [cardIds[0] as number, members.member.id],
  )
}

for (const isCounted of [true, false])
  test(`only what is emptied is read, also when PostgreSQL counted ${isCounted ? 'just now' : 'long ago'}`, async () => {
    const board = await createBoard(service, { cards: 1 })
    const { projectId, boardId, cardIds } = board
    await sql`alter table events set (autovacuum_enabled = off)`
    await sql`analyze`
    await addDeleted(board)
    await purgeDeleted(service.db)
    await sql`
      insert into events (project_id, id, board_id, card_id, kind, data)
      select ${projectId}::bigint, version + number, case when number % 3 > 0 then ${boardId}::bigint end,
        ${cardIds[0] as number}::bigint, noun || '.updated',
        case noun when 'card' then '{}' else jsonb_build_object(noun || '_id', -number) end || '{"changes": {}}'
      from project_versions, generate_series(1, 20000) number,
        lateral (select (array['card', 'group', 'board', 'tag'])[1 + number % 4] as noun) happened
      where project_id = ${projectId}`
    await sql`
      insert into events (project_id, id, kind, data)
      select project_id, version + 20000 + number, 'group.restored',
        jsonb_build_object('is_purged', true, 'cards', jsonb_build_array(jsonb_build_object('card_id', -number)))
      from project_versions, generate_series(1, 2000) number where project_id = ${projectId}`
    await sql`update project_versions set version = version + 22000 where project_id = ${projectId}`
    await addDeleted(board)
    if (isCounted) await sql`analyze`
    const reads = await readsOf(service.db, tables, (queries) =>
      purgeDeleted(insideTransaction(service.db, queries)),
    )
    assert.ok(reads <= 22 * count, `${reads} rows read for ${5 * count} things and ${4 * count} events`)
    const left =
      await sql`select kind from events where project_id = ${projectId} and data::text like '%Words%'`
    assert.deepEqual([...left], [])
    assert.equal((await sql`select from comment_reads where project_id = ${projectId}`).length, 0)
  })
