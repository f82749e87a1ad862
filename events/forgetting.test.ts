import assert from 'node:assert/strict'
import test from 'node:test'
import { purges } from '#boards/trash/purging.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects, admin, createMaster } from '#tests/templates/fleet.ts'
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

test('a card that was moved to another board keeps its history when the first one is purged', async () => {
  const { projectId, boardId, admin: client, cardIds } = await createBoard(service, { cards: 2 })
  const [moved, left] = cardIds as [number, number]
  await client.call(`${operations}/cards/update`, { id: moved, title: 'Renamed' })
  const { board } = await client.call(`${operations}/boards/create`, { title: 'Next' })
  const { group } = await client.call(`${operations}/groups/create`, { board_id: board.id, title: 'List' })
  await client.call(`${operations}/cards/move`, { id: moved, group_id: group.id })
  const history = async () => {
    const { activity } = await client.call(`${operations}/activity/list`, {
      board_id: board.id,
      card_id: moved,
    })
    return activity.map(({ kind, data }) => [kind, data['is_purged'] ?? false])
  }
  await age(projectId)
  await forget()
  await client.call(`${operations}/boards/delete`, { id: boardId })
  await purgeAll()
  const kept = [
    ['card.moved', false],
    ['card.updated', false],
    ['card.created', false],
  ]
  assert.deepEqual(await history(), kept)
  await age(projectId)
  await forget()
  assert.deepEqual(await history(), kept)
  const events = await sql`select from events where project_id = ${projectId} and card_id = ${left}`
  assert.equal(events.length, 0)
})

test('the rollouts of a board are deleted with it, unless a card of it is on another board', async () => {
  const { token } = await service.addUser({ superadmin: true })
  const superadmin = service.client(token)
  const [withCard, without] = (await addProjects(service.db, 2)) as [number, number]
  const { boardId, cardIds } = await createMaster(superadmin)
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const [copy] = await sql<{ id: number }[]>`
    select id from cards where project_id = ${withCard} and master_card_id = ${cardIds[0] as number}`
  const [own] = await sql<{ id: number }[]>`
    insert into boards (project_id, title) values (${withCard}, 'Own') returning id`
  const { group } = await superadmin.call(`${operations}/groups/create`, {
    board_id: own?.id as number,
    title: 'List',
  })
  await superadmin.call(`${operations}/cards/move`, { id: copy?.id as number, group_id: group.id })
  for (const projectId of [withCard, without]) {
    await age(projectId)
    await forget()
  }
  await purgeBoards(boardId)
  assert.deepEqual(await kindsOf(withCard), [
    'template.rolled_out',
    'card.moved',
    'card.moved',
    'board.deleted',
  ])
  assert.deepEqual(await kindsOf(without), ['board.deleted'])
})

/** Deletes the copies of a template, and purges them. */
async function purgeBoards(masterBoardId: number) {
  const copies = await sql<{ id: number }[]>`select id from boards where master_board_id = ${masterBoardId}`
  const { token } = await service.addUser({ superadmin: true })
  for (const { id } of copies) await service.client(token).call(`${operations}/boards/delete`, { id })
  await purgeAll()
}

/** Everything that is deleted by now. */
async function purgeAll() {
  for (const table of ['boards', 'groups', 'cards'])
    await sql`update ${sql(table)} set deleted_at = now() - interval '31 days' where deleted_at is not null`
  for (const purge of Object.values(purges)) await purge(service.db)
}

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
