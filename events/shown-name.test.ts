// Members of a project do not read which superadmin helped them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()

test('what a superadmin who is no member did is by Cardinal support: in the inbox, on cards, in the trash and in the live stream', async () => {
  const { projectId, boardId, member, members, groupIds } = await createBoard(service)
  const superadmin = await service.addUser({ superadmin: true })
  const helper = service.client(superadmin.token, { 'x-project-id': String(projectId) })
  const group_id = groupIds[0] as number
  const { card } = await helper.call(`${operations}/cards/create`, {
    ...{ title: 'Helped', group_id, owner_id: members.member.id },
  })
  await helper.call(`${operations}/comments/create`, { card_id: card.id, comment: 'Here' })
  await eventually(async () => {
    const { items } = await member.call(`${operations}/inbox/list`)
    assert.deepEqual(
      items.map(({ reason, actor_id, actor_name }) => [reason, actor_id, actor_name]),
      [
        ['commented', 0, 'Cardinal support'],
        ['assigned', 0, 'Cardinal support'],
      ],
    )
  })
  const opened = async (by: typeof helper) => {
    const { people, comments } = await by.call(`${operations}/cards/get`, { id: card.id })
    return [people, comments.map(({ user_id: id }) => id)]
  }
  assert.deepEqual(await opened(member), [[{ id: 0, name: 'Cardinal support' }], [0]])
  const { id } = superadmin
  assert.deepEqual(await opened(helper), [[{ id, name: 'Cardinal support' }], [id]])
  const activity = await member.call(`${operations}/activity/list`, { board_id: boardId })
  assert.deepEqual(
    activity.activity.map(({ actor_id, actor_name }) => [actor_id, actor_name]).slice(0, 2),
    Array(2).fill([null, 'Cardinal support']),
  )
  const open = ({ token }: { token: string }) =>
    openStream(service, token, { query: `?project_id=${projectId}` })
  const streams = await Promise.all([open(members.member), open(superadmin)])
  for (const { messages } of streams) await until(() => messages.length > 0, 'the stream begins')
  await helper.call(`${operations}/cards/create`, { title: 'Made', group_id })
  await helper.call(`${operations}/cards/delete`, { id: card.id })
  for (const { events } of streams) await until(() => events().length > 1, 'the events arrive')
  assert.deepEqual(
    streams.map(({ events }) => events().map(({ kind, actor_id }) => [kind, actor_id])),
    [null, id].map((seen) => ['card.created', 'card.deleted'].map((kind) => [kind, seen])),
  )
  assert.ok(streams[0]?.events().every(({ data }) => !('created_by' in (data as object))))
  await Promise.all(streams.map((stream) => stream.close()))
  const { things } = await member.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ title, deleted_by_name }) => [title, deleted_by_name]),
    [['Helped', 'Cardinal support']],
  )
  const another = service.client((await service.addUser({ superadmin: true })).token)
  await another.call('/services/identity/v1/users/demote', { id })
  const later = await member.call(`${operations}/activity/list`, { board_id: boardId })
  const byHelper = later.activity.filter(({ kind }) => /^(card|comment)\./.test(kind))
  assert.deepEqual(
    byHelper.map(({ actor_id, actor_name }) => [actor_id, actor_name]),
    Array(4).fill([null, 'Cardinal support']),
  )
  assert.ok(byHelper.every(({ data }) => !('created_by' in data)))
})
