import assert from 'node:assert/strict'
import test from 'node:test'
import { purges } from '#boards/trash/purging.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'
import { forgetEvents } from './forgetting.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db
const days = 400

const forget = () => forgetEvents(service.db, { days, signal: new AbortController().signal })
const age = (projectId: number, by = days + 1) =>
  sql`update events set created_at = now() - make_interval(days => ${by}::bigint::integer) where project_id = ${projectId}`
const kindsOf = async (projectId: number) => {
  const events = await sql<
    { kind: string }[]
  >`select kind from events where project_id = ${projectId} order by id`
  return events.map(({ kind }) => kind)
}

test('old events are deleted, except those of cards, themes and rollouts; younger ones stay', async () => {
  const { projectId, boardId, groupIds, admin, cardIds } = await createBoard(service, { cards: 1 })
  const [cardId] = cardIds as [number]
  await admin.call(`${operations}/comments/create`, { card_id: cardId, comment: 'Words' })
  const [version] = await sql<{ version: number }[]>`
    update project_versions set version = version + 2 where project_id = ${projectId} returning version`
  const last = version?.version as number
  await sql`insert into events (project_id, id, board_id, kind, data) values
    (${projectId}, ${last - 1}, null, 'theme.created', '{"theme_id": 1, "name": "Theme"}'),
    (${projectId}, ${last}, ${boardId}, 'template.rolled_out', '{"rollout_kind": "board"}')`
  await age(projectId, days - 1)
  const all = await kindsOf(projectId)
  await forget()
  assert.deepEqual(await kindsOf(projectId), all)
  await age(projectId)
  await admin.call(`${operations}/groups/update`, { id: groupIds[0] as number, title: 'Now' })
  await forget()
  assert.deepEqual(await kindsOf(projectId), [
    ...['card.created', 'comment.created', 'theme.created', 'template.rolled_out', 'group.updated'],
  ])
  const { activity } = await admin.call(`${operations}/activity/list`, {
    board_id: boardId,
    card_id: cardId,
  })
  assert.deepEqual(
    activity.map(({ kind }) => kind),
    ['comment.created', 'card.created'],
  )
})

test('more old events than one step has are all deleted', async () => {
  const { projectId } = await createBoard(service)
  const [version] = await sql<{ version: number }[]>`
    update project_versions set version = version + 450 where project_id = ${projectId} returning version`
  await sql`
    insert into events (project_id, id, kind, data)
    select ${projectId}, ${version?.version as number} - number, 'views.changed', '{}' from generate_series(0, 449) number`
  await age(projectId)
  await forget()
  assert.deepEqual(await kindsOf(projectId), [])
})

test('the events of a card are deleted with it, whether they are old by then or later', async () => {
  const { projectId, admin, cardIds } = await createBoard(service, { cards: 2 })
  const [first, second] = cardIds as [number, number]
  await age(projectId)
  await forget()
  const deletePurged = async (id: number) => {
    await admin.call(`${operations}/cards/delete`, { id })
    await sql`update cards set deleted_at = now() - interval '31 days' where id = ${id}`
    await purges.purgeCards(service.db)
  }
  await deletePurged(first)
  assert.deepEqual(await kindsOf(projectId), ['card.created', 'card.deleted'])
  await deletePurged(second)
  assert.deepEqual(await kindsOf(projectId), ['card.deleted', 'card.deleted'])
  await age(projectId)
  await forget()
  assert.deepEqual(await kindsOf(projectId), [])
})

test('a board or stream that has not seen the deleted events begins anew', async () => {
  const { projectId, boardId, groupIds, admin, members } = await createBoard(service)
  const { token } = members.viewer
  const titles = async () => {
    const { board } = await service.client(token).call(`${operations}/boards/get`, { id: boardId })
    return board.groups.map(({ title }) => title)
  }
  assert.equal((await titles())[0], 'To do')
  const stream = await openStream(service, token)
  await until(() => stream.messages.length > 0, 'the first message')
  const cursor = stream.lastId()
  await stream.close()
  await admin.call(`${operations}/groups/update`, { id: groupIds[0] as number, title: 'Renamed' })
  await age(projectId)
  await forget()
  assert.equal((await titles())[0], 'Renamed')
  const resumed = await openStream(service, token, { since: cursor })
  await until(() => resumed.messages.length > 0, 'an answer to the old cursor')
  assert.deepEqual([resumed.messages[0]?.event, resumed.events()], ['reset', []])
  await resumed.close()
})
