// Members of a project do not read which superadmin helped them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()

test('what a superadmin who is no member did is by Cardinal support: in the inbox, on cards and in the trash', async () => {
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
      items.map(({ reason, actor_name }) => [reason, actor_name]),
      [
        ['commented', 'Cardinal support'],
        ['assigned', 'Cardinal support'],
      ],
    )
  })
  const { people } = await member.call(`${operations}/cards/get`, { id: card.id })
  assert.deepEqual(people, [{ id: superadmin.id, name: 'Cardinal support' }])
  const activity = await member.call(`${operations}/activity/list`, { board_id: boardId })
  assert.deepEqual(
    activity.activity.map(({ actor_id, actor_name }) => [actor_id, actor_name]).slice(0, 2),
    Array(2).fill([null, 'Cardinal support']),
  )
  await helper.call(`${operations}/cards/delete`, { id: card.id })
  const { things } = await member.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ title, deleted_by_name }) => [title, deleted_by_name]),
    [['Helped', 'Cardinal support']],
  )
})
