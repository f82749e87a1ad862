import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { purgeDeleted } from './purge-deleted.ts'
import { sweepExpired } from './sweep-expired.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db

test('what has expired is removed, what has not stays', async () => {
  const expired = await service.addUser()
  const valid = await service.addUser()
  await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${expired.id}`
  for (const [key, age] of [
    ['old', '2 days'],
    ['new', '2 hours'],
  ] as const) {
    await sql`
      insert into sign_in_attempts (key, failures, updated_at)
      values (${Buffer.from(key)}, 1, now() - ${age}::interval)`
    await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
      values (${valid.id}, ${key}, ''::bytea, 200, '', now() - ${age}::interval)`
  }
  await sql`insert into platforms (name) values ('Platform')`
  await sql`insert into master_boards (platform_id, title, created_by) select id, 'Master', ${valid.id} from platforms`
  for (const age of ['400 days', '300 days'])
    await sql`
      insert into pushes (kind, board_id, version, status, created_by, finished_at)
      select 'board', id, 1, 'done', ${valid.id}, now() - ${age}::interval from master_boards`
  await sweepExpired(service.db)
  assert.equal((await sql`select from pushes`).length, 1)
  const sessions = await sql`select user_id from sessions`
  assert.deepEqual(
    sessions.map((session) => session['user_id']),
    [valid.id],
  )
  assert.equal((await sql`select from sign_in_attempts`).length, 1)
  assert.deepEqual([...(await sql`select key from idempotency_keys`)], [{ key: 'new' }])
})

test('30 days after its deletion a card is emptied and cannot come back; its row stays', async () => {
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
